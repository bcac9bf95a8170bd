// Entities of a source as columns
// One block: those between two keys that have an edge of the source. Their edges are not read.
// takes: $source string = null: name of the source, every source where null
// takes: $first string = '': key of the first node of the page
// takes: $last string = null: key that ends the page, itself left out; no end where null
// returns: id list: ids of the nodes
// returns: key list: their keys
// returns: degree list: how many relationships each has, of all sources and in both directions
MATCH (n:Concept|Entity)
WHERE n.key >= $first AND n.key < coalesce($last, '\uDBFF\uDFFF') AND EXISTS { MATCH (n)-[r]-() WHERE r.source = coalesce($source, r.source) }
RETURN collect(id(n)) AS id, collect(n.key) AS key, collect(COUNT { (n)--() }) AS degree
