// Targets that a model is asked about
// takes: $category string = null: one category, all where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded
// returns: target string: the target's name
// returns: language string: of the name
MATCH (t:Target)
WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL) } AND t.category = coalesce($category, t.category)
RETURN t.name AS target, coalesce(t.language, 'en') AS language
ORDER BY target
