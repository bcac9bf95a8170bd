// Where the edges of a source lie in the store
// Reads every relationship once. cypher/subgraph/neighbours.cypher draws numbers between the two ids, and takes those that are edges.
// takes: $source string = null: name of the source, every source where null
// returns: first int|null: lowest id of an edge; null where there is none
// returns: last int|null: highest id of an edge
// returns: edges int: how many there are
// returns: relations list<string>: their relationship types
MATCH ()-[r]->()
WHERE r.source = coalesce($source, r.source)
RETURN min(id(r)) AS first, max(id(r)) AS last, count(r) AS edges, collect(DISTINCT type(r)) AS relations
