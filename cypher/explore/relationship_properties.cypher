// Triples with their properties
// Some triples of a source, with all that is known of them.
// takes: $source string = null: name of the source, every source where null
// takes: $limit int = 25: how many at most
// returns: head string: text of the head; of an entity its name, or its key where it has none
// returns: type string: relationship type
// returns: tail string: text of the tail, likewise
// returns: properties map: properties of the relationship
// for: readers
MATCH (h:Concept|Entity)-[r]->(t:Concept|Entity)
WHERE r.source = coalesce($source, r.source)
RETURN coalesce(h.text, h.name, h.key) AS head, type(r) AS type, coalesce(t.text, t.name, t.key) AS tail, properties(r) AS properties
LIMIT $limit
