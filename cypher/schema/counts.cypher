// Size of the graph
// Nodes and relationships, from the counts that the store keeps.
// returns: nodes int: nodes of every label
// returns: relationships int: relationships of every type
CALL () {
  MATCH (n)
  RETURN count(n) AS nodes
}
CALL () {
  MATCH ()-[r]->()
  RETURN count(r) AS relationships
}
RETURN nodes, relationships
