// Targets as values of an attribute
// The targets of every category, as they are written in their lists.
// takes: $lists list<string> = null: names of target lists; where null those that were loaded
// returns: category string: category of the target
// returns: value string: the target as its list writes it
MATCH (t:Target)
WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL) } AND coalesce(t.language, 'en') = 'en'
RETURN t.category AS category, coalesce(t.title, t.name) AS value
ORDER BY category, value
