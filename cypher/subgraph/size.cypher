// Size of the graph
// From the store's own counts, at once: what a kept copy of a subgraph is held against.
// returns: nodes int: all nodes
// returns: relationships int: all relationships
// returns: ends int: concepts and entities
RETURN COUNT { () } AS nodes, COUNT { ()-->() } AS relationships, COUNT { (:Concept) } + COUNT { (:Entity) } AS ends
