// Targets that a model is asked about
// takes: $lists list<string> = null: names of the target lists; all lists where null
// takes: $category string = null: one category, all where null
// returns: target string: the target's name
// returns: language string: of the name
CALL () {
  // The lists that are named, or all lists.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND list.kind = 'list'
  RETURN collect(list.name) AS lists
}
MATCH (list:TargetList)-[held:HOLDS]->(t:Target)
WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists)
WITH t, list, held ORDER BY list.place
WITH t, collect(held.category)[0] AS category
WHERE category = coalesce($category, category)
RETURN t.name AS target, t.language AS language
ORDER BY target
