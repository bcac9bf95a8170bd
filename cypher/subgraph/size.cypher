// Size of the graph
// From the store's own counts, at once: what a kept copy of a subgraph is held against.
// returns: nodes int: all nodes
// returns: relationships int: all relationships
MATCH (n)
WITH count(n) AS nodes
MATCH ()-[r]->()
RETURN nodes, count(r) AS relationships
