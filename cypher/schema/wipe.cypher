// Remove everything
// Nodes and relationships; constraints and indexes stay.
MATCH (n)
CALL (n) {
  DETACH DELETE n
} IN TRANSACTIONS OF 2000 ROWS
