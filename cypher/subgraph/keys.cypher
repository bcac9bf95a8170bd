// Keys of nodes as columns
// One block of concepts and entities: the id of the node and the key, from the index of keys alone.
// takes: $first string = '': key of the first node of the page
// takes: $last string = null: key that ends the page, itself left out; no end where null
// returns: id list: ids of the nodes
// returns: key list: their keys
MATCH (n:Concept|Entity)
WHERE n.key >= $first AND n.key < coalesce($last, '\uDBFF\uDFFF')
RETURN collect(id(n)) AS id, collect(n.key) AS key
