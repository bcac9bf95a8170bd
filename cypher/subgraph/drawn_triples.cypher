// Triples by drawn ids
// Those of some ids that are edges of a split and leave a concept or an entity, in the order of the ids. If all ids between the lowest
// and the highest of an edge (cypher/subgraph/edge_range.cypher) are as likely, so are all edges.
// takes: $ids list<int> = []: ids
// takes: $split string = 'train': train, valid or test; edges that are not of valid or test are of train
// takes: $source string = null: name of the source, every source where null
// returns: head list: keys of the heads
// returns: relation list: relationship types
// returns: tail list: keys of the tails
UNWIND range(0, size($ids) - 1) AS place
MATCH (h)-[r]->(t) WHERE id(r) = $ids[place]
WITH place, h, r, t
WHERE h:Concept|Entity AND r.source = coalesce($source, r.source) AND CASE WHEN coalesce(r.split, '') IN ['valid', 'test'] THEN r.split ELSE 'train' END = $split
WITH h, r, t ORDER BY place
RETURN collect(h.key) AS head, collect(type(r)) AS relation, collect(t.key) AS tail
