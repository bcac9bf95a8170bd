// Remove entities that stand in no triple
MATCH (e:Entity)
WHERE count { (e)--() } = count { (e)-[:NAMES]->() }
CALL (e) {
  DETACH DELETE e
} IN TRANSACTIONS OF 5000 ROWS
