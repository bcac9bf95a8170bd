// Targets as values of an attribute
// The targets of every category, as they are written in their lists.
// takes: $lists list<string> = null: names of target lists, every target where null
// returns: category string: category of the target
// returns: value string: the target as its list writes it
MATCH (t:Target)
WHERE ($lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE list.name IN $lists }) AND coalesce(t.language, 'en') = 'en'
RETURN t.category AS category, coalesce(t.title, t.name) AS value
ORDER BY category, value
