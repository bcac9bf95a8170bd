// Remove concepts that stand in no triple
// A concept's links to targets alone do not keep it.
MATCH (c:Concept)
WHERE count { (c)--() } = count { (c)-[:NAMES]->() }
CALL (c) {
  DETACH DELETE c
} IN TRANSACTIONS OF 5000 ROWS
