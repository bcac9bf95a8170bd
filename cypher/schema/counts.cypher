// Size of the graph
// Nodes and relationships, from the counts that the store keeps.
// returns: nodes int: nodes of every label but Schema, which is not content
// returns: relationships int: relationships of every type
CALL () {
  MATCH (n)
  RETURN count(n) AS every
}
CALL () {
  MATCH (n:Schema)
  RETURN count(n) AS of_form
}
CALL () {
  MATCH ()-[r]->()
  RETURN count(r) AS relationships
}
RETURN every - of_form AS nodes, relationships
