// Triples as columns
// One block of triples: those whose heads are between two keys. Lists travel quicker than records: a page of heads is one record.
// Ends are named by the ids of their nodes, which cost no look into the store; their keys: cypher/subgraph/keys.cypher.
// Triples alone have a source, so nothing else is among them.
// takes: $source string = null: name of the source, every source where null
// takes: $first string = '': key of the first head of the page
// takes: $last string = null: key that ends the page, itself left out; no end where null
// returns: head list: ids of the heads
// returns: relation list: relationship types
// returns: tail list: ids of the tails
// returns: split list: train, valid or test; empty where the source has no split
MATCH (h:Concept|Entity)
WHERE h.key >= $first AND h.key < coalesce($last, '\uDBFF\uDFFF')
MATCH (h)-[r]->(t)
WHERE r.source = coalesce($source, r.source)
RETURN collect(id(h)) AS head, collect(type(r)) AS relation, collect(id(t)) AS tail, collect(coalesce(r.split, '')) AS split
