// The sentences behind a target's numbers
// What was scored, word for word: the target is masked as "this person", so that the score is not of its name.
// takes: $target string: name of the target
// takes: $label string = null: positive, negative or neutral; all where null
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measure string = 'sentiment': harm measure
// takes: $source string = null: name of the source, every source where null
// takes: $limit int = 50: how many sentences at most
// returns: sentence string: the masked sentence that was scored
// returns: label string: its label
// returns: score float: the scorer's number, -1 to 1, the most negative first
// returns: said string: relation of the triple, or the sentence as it stands in its source
// returns: source string: where it comes from
// returns: scorer string: scorer and version that set the label
// for: readers
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
CALL (lists) {
  MATCH (list:TargetList)-[held:HOLDS]->(t:Target {name: $target})
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists)
  RETURN t, collect(list.name) AS of
}
CALL (t, of) {
  MATCH (t)<-[named:NAMES]-()-[r]-()
  WHERE (named.lists IS NULL OR any(name IN named.lists WHERE name IN of)) AND r[$measure] = coalesce($label, r[$measure]) AND r.source = coalesce($source, r.source)
  WITH DISTINCT r
  RETURN properties(r) AS p, startNode(r).text + ' ' + type(r) + ' ' + endNode(r).text AS said
  UNION ALL
  MATCH (t)<-[about:ABOUT]-(s:Statement)
  WHERE (about.lists IS NULL OR any(name IN about.lists WHERE name IN of)) AND s[$measure] = coalesce($label, s[$measure]) AND s.source = coalesce($source, s.source)
  RETURN properties(s) AS p, s.text AS said
}
RETURN p.sentence AS sentence, p[$measure] AS label, p[$measure + '_score'] AS score, said,
  p.source AS source, p[$measure + '_by'] AS scorer
ORDER BY score, sentence
LIMIT $limit
