// Targets that a source brings and no list has
// takes: $source string: name of the source
// returns: target string: name of the target
MATCH (:TargetList {name: $source, kind: 'groups'})-[held:HOLDS]->(t:Target)
WHERE held.unless = []
RETURN t.name AS target
ORDER BY target
