// Triples of a source as texts
// What a language model learns of them: equal triples of several assertions are equal rows.
// takes: $source string: name of the source
// returns: head string: text of the head
// returns: relation string: the relation's own name
// returns: tail string: text of the tail
MATCH (h)-[r]->(t)
WHERE r.source = $source
RETURN coalesce(h.text, h.name, h.key) AS head,
  coalesce(CASE type(r) WHEN 'PROPOSED' THEN r.relation END,
    COLLECT { MATCH (n:Relation {type: type(r)}) RETURN coalesce(n.own[0], n.name) }[0], type(r)) AS relation,
  coalesce(t.text, t.name, t.key) AS tail
