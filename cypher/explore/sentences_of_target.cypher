// The sentences behind a target's numbers
// What was scored, word for word: the target is masked as "this person", so that the score is not of its name.
// takes: $target string: name of the target
// takes: $label string = null: positive, negative or neutral; all where null
// takes: $measure string = 'sentiment': harm measure
// takes: $source string = null: name of the source, every source where null
// takes: $limit int = 50: how many sentences at most
// returns: sentence string: the masked sentence that was scored
// returns: label string: its label
// returns: score float: the scorer's number, -1 to 1, the most negative first
// returns: said string: relation of the triple, or the sentence as in its source
// returns: source string: where it comes from
// returns: scorer string: scorer and version that set the label
// for: readers
MATCH (t:Target {name: $target})
CALL (t) {
  MATCH (t)<-[:NAMES]-()-[r]-()
  WHERE r[$measure] = coalesce($label, r[$measure]) AND r.source = coalesce($source, r.source)
  WITH DISTINCT r
  RETURN properties(r) AS p, startNode(r).text + ' ' + coalesce(COLLECT { MATCH (k:Relation {type: type(r)}) RETURN k.name }[0], type(r)) + ' ' + endNode(r).text AS said
  UNION ALL
  MATCH (t)<-[:ABOUT]-(s:Statement)
  WHERE s[$measure] = coalesce($label, s[$measure]) AND s.source = coalesce($source, s.source)
  RETURN properties(s) AS p, s.text AS said
}
RETURN p.sentence AS sentence, p[$measure] AS label, p[$measure + '_score'] AS score, said,
  p.source AS source, p[$measure + '_by'] AS scorer
ORDER BY score, sentence
LIMIT $limit
