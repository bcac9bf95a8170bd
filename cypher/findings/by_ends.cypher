// Triples by their ends
// Findings as in findings/labelled, of keys that somebody chose.
// takes: $source string: name of the source
// takes: $measure string = 'sentiment': harm measure
// takes: $rows list: maps of head and tail (keys), type, assertion (null for any)
// returns: head string|null: key of the head; null for a sentence
// returns: type string|null: relationship type
// returns: tail string|null: key of the tail
// returns: relation string|null: the relation's own name
// returns: assertion string|null: the source's own id of the triple, empty where it has none
// returns: key string|null: key of a sentence; null for a triple
// returns: said string: head, the relation's own name and tail; or the sentence
// returns: sentence string|null: the text that was scored
// returns: label string|null: the label
// returns: score float|null: the scorer's number
// returns: by string|null: scorer and version
// returns: rank string|null: rank of a statement of Wikidata, null where it is normal
UNWIND $rows AS wanted
CALL (wanted) {
  MATCH (h:Concept {key: wanted.head})-[r]->(o)
  WHERE type(r) = wanted.type AND r.source = $source AND o.key = wanted.tail AND r.assertion = coalesce(wanted.assertion, r.assertion)
  RETURN r
  UNION
  MATCH (h:Entity {key: wanted.head})-[r]->(o)
  WHERE type(r) = wanted.type AND r.source = $source AND o.key = wanted.tail AND r.assertion = coalesce(wanted.assertion, r.assertion)
  RETURN r
}
WITH DISTINCT r, startNode(r) AS h, endNode(r) AS o
WITH r, h, o, COLLECT { MATCH (k:Relation {type: type(r)}) RETURN coalesce(k.own[0], k.name) }[0] AS name
RETURN h.key AS head, type(r) AS type, o.key AS tail, coalesce(name, type(r)) AS relation, r.assertion AS assertion, null AS key,
  coalesce(h.text, h.name, h.key) + ' ' + coalesce(name, type(r)) + ' ' + coalesce(o.text, o.name, o.key) AS said,
  r.sentence AS sentence, r[$measure] AS label, r[$measure + '_score'] AS score, r[$measure + '_by'] AS by, r.rank AS rank
