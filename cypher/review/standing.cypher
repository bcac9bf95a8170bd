// What these statements say now
// The server gives the element id of what was deleted to something else. So it tells what is there, to be compared.
// takes: $ids list<string> = []: element ids of relationships and of Statement nodes
// takes: $by string = 'review_by': property that says who labelled
// returns: id string: element id
// returns: is_node bool: whether it is a Statement
// returns: head string|null: text of the head; null of a Statement
// returns: type string|null: relationship type; of a proposal the one that it would have
// returns: tail string|null: text of the tail; or the sentence of a Statement
// returns: source string|null: the source
// returns: sentence string|null: the masked sentence that was scored
// returns: by string|null: who labelled it
// returns: prompt string|null: the prompt of a sample
CALL () {
  UNWIND $ids AS id
  MATCH (h)-[r]->(t)
  WHERE elementId(r) = id
  RETURN id, false AS is_node, h.text AS head, CASE type(r) WHEN 'PROPOSED' THEN r.assertion ELSE type(r) END AS type, t.text AS tail,
    r.source AS source, r.sentence AS sentence, r[$by] AS by, null AS prompt
  UNION ALL
  UNWIND $ids AS id
  MATCH (s:Statement)
  WHERE elementId(s) = id
  RETURN id, true AS is_node, null AS head, null AS type, s.text AS tail, s.source AS source, s.sentence AS sentence, s[$by] AS by,
    coalesce(s.prompt, replace(replace(s.template, '{value}', s.value), '{a value}', s.value)) AS prompt
}
RETURN id, is_node, head, type, tail, source, sentence, by, prompt
