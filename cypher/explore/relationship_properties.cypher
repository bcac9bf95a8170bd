// Triples with their properties
// Some triples of a source, with all that is known of them.
// takes: $source string = null: name of the source, every source where null
// takes: $limit int = 25: how many at most
// returns: head string: text of the head
// returns: type string: relationship type
// returns: tail string: text of the tail
// returns: properties map: properties of the relationship
MATCH (h:Concept)-[r]->(t:Concept)
WHERE r.source = coalesce($source, r.source)
RETURN h.text AS head, type(r) AS type, t.text AS tail, properties(r) AS properties
LIMIT $limit
