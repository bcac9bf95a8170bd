// Remove entities that stand in no triple
// What names a target or was probed is not a triple.
MATCH (e:Entity)
WHERE count { (e)--() } = count { (e)-[:NAMES]->() } + count { (e)<-[:PROBED]-() }
CALL (e) {
  DETACH DELETE e
} IN TRANSACTIONS OF 5000 ROWS
