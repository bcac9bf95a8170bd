// Triples of a source
// Every triple of the source, with its properties.
// takes: $source string: name of the source
// returns: head string: key of the head
// returns: relation string: name of the relation
// returns: tail string: key of the tail
// returns: type string: relationship type
// returns: assertion string: the source's own id of the triple, empty where it has none
// returns: weight float|null: its weight
// returns: properties map: its other properties
MATCH (h)-[r]->(t)
WHERE r.source = $source
OPTIONAL MATCH (relation:Relation {type: type(r)})
RETURN h.key AS head, coalesce(relation.name, type(r)) AS relation, coalesce(t.key, t.name) AS tail, type(r) AS type, r.assertion AS assertion, r.weight AS weight,
  r {.*, source: null, import_id: null, since: null, assertion: null, weight: null} AS properties
