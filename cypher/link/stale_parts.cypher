// Unlink targets from parts that no list names any more
MATCH (t:Target)-[c:COMBINES]->(p:Target)
WHERE p.language <> t.language OR NOT EXISTS {
  MATCH (:TargetList)-[held:HOLDS]->(t), (:TargetList)-[also:HOLDS]->(p)
  WHERE any(part IN coalesce(held.parts, []) WHERE part IN also.names)
}
DELETE c
