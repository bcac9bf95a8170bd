// Targets that a model is asked about
// takes: $category string = null: one category, all where null
// takes: $lists list<string> = null: names of target lists, every target where null
// returns: target string: the target's name
// returns: language string: of the name
MATCH (t:Target)
WHERE ($lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE list.name IN $lists }) AND t.category = coalesce($category, t.category)
RETURN t.name AS target, coalesce(t.language, 'en') AS language
ORDER BY target
