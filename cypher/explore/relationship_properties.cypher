// Triples with their properties
// Some triples of a source, with all that is known of them.
// takes: $source string = null: name of the source, every source where null
// takes: $limit int = 25: how many at most
// returns: head string: text of the head; of an entity its name, or its key where it has none
// returns: relation string: name of the relation
// returns: tail string: text of the tail, likewise
// returns: type string: relationship type
// returns: properties map: properties of the relationship
// for: readers
MATCH (h:Concept|Entity)-[r]->(t:Concept|Entity)
WHERE r.source = coalesce($source, r.source)
RETURN coalesce(h.text, h.name, h.key) AS head, coalesce(COLLECT { MATCH (k:Relation {type: type(r)}) RETURN k.name }[0], type(r)) AS relation, coalesce(t.text, t.name, t.key) AS tail, type(r) AS type, properties(r) AS properties
LIMIT $limit
