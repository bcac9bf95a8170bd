// Size of the graph
// Nodes and relationships, from the counts that the store keeps.
// returns: nodes int: nodes of every label
// returns: relationships int: relationships of every type
MATCH (n)
WITH count(n) AS nodes
MATCH ()-[r]->()
RETURN nodes, count(r) AS relationships
