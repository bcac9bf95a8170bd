// Findings
// The statements of a source about targets, and posts that imply something about them, that carry a label, the strongest first.
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measure string = 'sentiment': harm measure
// takes: $label string = 'negative': the label
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
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
CALL (lists) {
  MATCH (list:TargetList)-[held:HOLDS]->(t:Target)<-[named:NAMES]-(c)-[r]-()
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
    AND t.name = coalesce($target, t.name) AND r.source = $source AND r[$measure] = $label AND ($min_score IS NULL OR abs(r[$measure + '_score']) >= $min_score)
  WITH DISTINCT r, startNode(r) AS h, endNode(r) AS o
  WITH r, h, o, COLLECT { MATCH (k:Relation {type: type(r)}) RETURN coalesce(k.own[0], k.name) }[0] AS name
  RETURN h.key AS head, type(r) AS type, o.key AS tail, coalesce(name, type(r)) AS relation, r.assertion AS assertion, null AS key,
    coalesce(h.text, h.name, h.key) + ' ' + coalesce(name, type(r)) + ' ' + coalesce(o.text, o.name, o.key) AS said,
    r.sentence AS sentence, r[$measure] AS label, r[$measure + '_score'] AS score, r[$measure + '_by'] AS by, r.rank AS rank
  UNION ALL
  CALL (lists) {
    MATCH (list:TargetList)-[held:HOLDS]->(t:Target)<-[about:ABOUT]-(s:Statement {source: $source})
    WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(about.lists, [list.name])
      AND t.name = coalesce($target, t.name)
    RETURN s
    UNION
    // Posts that imply something about a group, or about the target of a list that it is.
    MATCH (group:Target)
    WHERE EXISTS { (group)<-[:IMPLIES]-() }
    CALL (group, lists) {
      // The target of one of the lists that the group is, or the group itself.
      OPTIONAL MATCH (group)-[listed:LISTED_AS]->(same:Target)
      WHERE any(name IN listed.lists WHERE name IN lists)
      WITH group, lists, listed, same ORDER BY listed.place, same.name LIMIT 1
      WITH lists, coalesce(same, group) AS t
      MATCH (list:TargetList)-[held:HOLDS]->(t)
      WHERE list.name IN lists
      WITH t, list, held ORDER BY list.kind DESC, list.place LIMIT 1
      RETURN t
    }
    MATCH (group)<-[:IMPLIES]-(s:Statement {source: $source})
    WHERE t.name = coalesce($target, t.name)
    RETURN s
  }
  WITH DISTINCT s
  WHERE s[$measure] = $label AND ($min_score IS NULL OR abs(s[$measure + '_score']) >= $min_score)
  RETURN null AS head, null AS type, null AS tail, null AS relation, null AS assertion, s.key AS key, s.text AS said,
    s.sentence AS sentence, s[$measure] AS label, s[$measure + '_score'] AS score, s[$measure + '_by'] AS by, null AS rank
}
RETURN head, type, tail, relation, assertion, key, said, sentence, label, score, by, rank
ORDER BY coalesce(abs(score), -1) DESC, said, assertion, key
LIMIT $limit
