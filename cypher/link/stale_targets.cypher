// Remove targets that no list holds any more, and lists that hold none
CALL () {
  MATCH (t:Target)
  WHERE NOT EXISTS { (:TargetList)-[:HOLDS]->(t) }
  DETACH DELETE t
}
MATCH (list:TargetList)
WHERE NOT EXISTS { (list)-[:HOLDS]->() }
DELETE list
