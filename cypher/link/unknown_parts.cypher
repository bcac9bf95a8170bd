// Parts of targets that no list has
// takes: $source string: name of the list
// returns: target string: name of the target
// returns: part string: name that no target of the same language has
MATCH (:TargetList {name: $source})-[held:HOLDS]->(t:Target)
WHERE held.parts IS NOT NULL
UNWIND held.parts AS part
WITH t, part
WHERE NOT EXISTS {
  MATCH (t)-[:COMBINES]->(p:Target)<-[also:HOLDS]-(:TargetList)
  WHERE part IN also.names
}
RETURN t.name AS target, part
ORDER BY target, part
