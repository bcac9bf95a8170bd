// Targets as values of an attribute
// The targets of every category, as they are written in their lists.
// takes: $lists list<string> = null: names of the target lists; all lists where null
// returns: category string: category of the target
// returns: value string: the target as its list writes it
CALL () {
  // The lists that are named, or all lists.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND list.kind = 'list'
  RETURN collect(list.name) AS lists
}
MATCH (list:TargetList)-[held:HOLDS]->(t:Target)
WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND t.language = 'en'
WITH t, list, held ORDER BY list.place
WITH t, collect(held)[0] AS held
RETURN held.category AS category, held.title AS value
ORDER BY category, value
