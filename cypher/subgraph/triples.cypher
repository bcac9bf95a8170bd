// Triples as columns
// One block of triples: those whose heads stand between two keys. Lists travel quicker than records: a page of heads is one record.
// Triples alone have a source, so nothing else is among them.
// takes: $source string = null: name of the source, every source where null
// takes: $first string = '': key of the first head of the page
// takes: $last string = null: key that ends the page, itself left out; no end where null
// returns: head list: keys of the heads
// returns: relation list: relationship types
// returns: tail list: keys of the tails
// returns: split list: train, valid or test; empty where the source has no split
MATCH (h:Concept|Entity)
WHERE h.key >= $first AND h.key < coalesce($last, '\uDBFF\uDFFF')
MATCH (h)-[r]->(t)
WHERE r.source = coalesce($source, r.source)
RETURN collect(h.key) AS head, collect(type(r)) AS relation, collect(t.key) AS tail, collect(coalesce(r.split, '')) AS split
