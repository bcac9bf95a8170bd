// Remove everything
// Nodes and relationships; constraints and indexes stay, and so does the version of the graph's form.
MATCH (n)
WHERE NOT n:Schema
CALL (n) {
  DETACH DELETE n
} IN TRANSACTIONS OF 2000 ROWS
