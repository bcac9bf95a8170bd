// Entities by drawn ids
// Those of some ids that are concepts or entities with an edge, in the order of the ids. If all ids between the lowest and the highest
// of such a node (cypher/subgraph/edge_range.cypher) are as likely, so are all these nodes.
// takes: $ids list<int> = []: ids
// takes: $source string = null: name of the source, every source where null
// returns: key list: their keys
UNWIND range(0, size($ids) - 1) AS place
MATCH (n) WHERE id(n) = $ids[place]
WITH place, n
WHERE n:Concept|Entity AND EXISTS { MATCH (n)-[r]-() WHERE r.source = coalesce($source, r.source) }
WITH n ORDER BY place
RETURN collect(n.key) AS key
