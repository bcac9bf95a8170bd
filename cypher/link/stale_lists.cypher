// Remove what lists of targets no longer hold
// Groups that no post of the source implies any more, and lists that hold nothing.
// changes: targets
MATCH (list:TargetList)
CALL (list) {
  MATCH (list)-[holds:HOLDS]->(t:Target)
  WHERE list.of = list.name AND NOT EXISTS {
    MATCH (t)<-[r:IMPLIES]-()
    WHERE r.source = list.name
  }
  DELETE holds
}
WITH list
WHERE NOT EXISTS { (list)-[:HOLDS]->() }
DETACH DELETE list
