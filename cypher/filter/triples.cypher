// Triples with their labels
// takes: $source string: name of the source
// takes: $measures list<string> = ['sentiment']: harm measures
// returns: head string: text of the head
// returns: head_key string: its key
// returns: head_is_concept bool: whether it is a Concept, not an Entity
// returns: head_name string|null: what the source calls an entity, null where it gives no name
// returns: relation string: the relation's own name
// returns: tail string: text of the tail
// returns: tail_key string: its key
// returns: tail_is_concept bool: whether it is a Concept, not an Entity
// returns: tail_name string|null: what the source calls an entity, null where it gives no name
// returns: assertion string: the source's own id, empty where it has none
// returns: properties map: properties of the relationship
// returns: labels list<string|null>: its label of each measure, null where it has none
MATCH (h)-[r]->(t)
WHERE r.source = $source
RETURN coalesce(h.text, h.name, h.key) AS head, h.key AS head_key, h:Concept AS head_is_concept,
  [at IN range(0, size(coalesce(h.named_by, [])) - 1) WHERE h.named_by[at] = $source | coalesce(h.names, [h.name])[at]][0] AS head_name,
  coalesce(CASE type(r) WHEN 'PROPOSED' THEN r.relation END,
    COLLECT { MATCH (n:Relation {type: type(r)}) RETURN coalesce(n.own[0], n.name) }[0], type(r)) AS relation,
  coalesce(t.text, t.name, t.key) AS tail, t.key AS tail_key, t:Concept AS tail_is_concept,
  [at IN range(0, size(coalesce(t.named_by, [])) - 1) WHERE t.named_by[at] = $source | coalesce(t.names, [t.name])[at]][0] AS tail_name,
  r.assertion AS assertion, properties(r) AS properties,
  [measure IN $measures | r[measure]] AS labels
