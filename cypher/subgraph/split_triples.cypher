// Triples of a split as columns
// One block of triples: those whose heads are between two keys. One that stands in an earlier split too is of that one: train, then
// valid, then test.
// takes: $split string = 'test': valid or test
// takes: $source string = null: name of the source, every source where null
// takes: $first string = '': key of the first head of the page
// takes: $last string = null: key that ends the page, itself left out; no end where null
// returns: head list: ids of the heads
// returns: relation list: relationship types
// returns: tail list: ids of the tails
MATCH (h:Concept|Entity)
WHERE h.key >= $first AND h.key < coalesce($last, '\uDBFF\uDFFF')
MATCH (h)-[r]->(t)
WHERE r.source = coalesce($source, r.source) AND r.split = $split
  AND NOT EXISTS { MATCH (h)-[same]->(t) WHERE type(same) = type(r) AND same.source = coalesce($source, same.source)
    AND ($split = 'test' AND same.split = 'valid' OR NOT coalesce(same.split, '') IN ['valid', 'test']) }
RETURN collect(id(h)) AS head, collect(type(r)) AS relation, collect(id(t)) AS tail
