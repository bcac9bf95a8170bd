// Findings
// The statements of a source about targets, and posts that imply something about them, that carry a label, the strongest first.
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $measure string = 'sentiment': harm measure
// takes: $label string = null: the label; where null any, also none
// takes: $min_score float = null: least distance of the score from 0, any where null
// takes: $target string = null: one target, all where null
// takes: $limit int = 1000000000: how many at the most
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
CALL () {
  MATCH (t:Target)<-[link:NAMES]-(c)-[r]-()
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND t.name = coalesce($target, t.name) AND r.source = $source AND ($label IS NULL OR r[$measure] = $label)
    AND ($min_score IS NULL OR abs(r[$measure + '_score']) >= $min_score)
  WITH DISTINCT r, startNode(r) AS h, endNode(r) AS o
  WITH r, h, o, COLLECT { MATCH (k:Relation {type: type(r)}) RETURN coalesce(k.own[0], k.name) }[0] AS name
  RETURN h.key AS head, type(r) AS type, o.key AS tail, coalesce(name, type(r)) AS relation, r.assertion AS assertion, null AS key,
    coalesce(h.text, h.name, h.key) + ' ' + coalesce(name, type(r)) + ' ' + coalesce(o.text, o.name, o.key) AS said,
    r.sentence AS sentence, r[$measure] AS label, r[$measure + '_score'] AS score, r[$measure + '_by'] AS by, r.rank AS rank
  UNION ALL
  MATCH (t:Target)<-[:ABOUT|IMPLIES]-(s:Statement {source: $source})
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND t.name = coalesce($target, t.name) AND ($label IS NULL OR s[$measure] = $label)
    AND ($min_score IS NULL OR abs(s[$measure + '_score']) >= $min_score)
  WITH DISTINCT s
  RETURN null AS head, null AS type, null AS tail, null AS relation, null AS assertion, s.key AS key, s.text AS said,
    s.sentence AS sentence, s[$measure] AS label, s[$measure + '_score'] AS score, s[$measure + '_by'] AS by, null AS rank
}
RETURN head, type, tail, relation, assertion, key, said, sentence, label, score, by, rank
ORDER BY coalesce(abs(score), -1) DESC, said, assertion, key
LIMIT $limit
