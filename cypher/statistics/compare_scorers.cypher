// Two scorers side by side
// How two measures label the same statements: how often alike, and where not. Shown are the statements on which their numbers
// differ most. With --as, two scorers of sentiment are two measures.
// takes: $measure string = 'sentiment': one measure
// takes: $against string = 'opinion': the other measure
// takes: $source string = null: name of the source, all sources unless given
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the source
// takes: $examples int = 3: example sentences per pair of labels
// returns: label string: label of the measure
// returns: other_label string: label of the other measure
// returns: statements int: statements that have both labels so
// returns: percent float: share of all that have both labels
// returns: sentences list<string>: masked sentences whose labels differ, the largest difference of the scores first
// keys: label other_label
// first: statements percent sentences
// table: $measure and $against side by side
// heading: label = $measure
// heading: other_label = $against
// group: comparison
// cites: Mehrabi et al. 2021, section 2.3
// measures: source statements percent
// scope: label other_label
// for: readers
CALL () {
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  MATCH (c)-[r]-()
  WHERE r.source = coalesce($source, r.source) AND r[$measure] IS NOT NULL AND r[$against] IS NOT NULL
  WITH DISTINCT r
  RETURN r[$measure] AS label, r[$against] AS other_label, r.sentence AS sentence,
    abs(coalesce(r[$measure + '_score'], 0) - coalesce(r[$against + '_score'], 0)) AS gap
  UNION ALL
  MATCH (s:Statement)
  WHERE s.source = coalesce($source, s.source) AND s[$measure] IS NOT NULL AND s[$against] IS NOT NULL
    AND EXISTS { (s)-[:ABOUT]->(t) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } }
  RETURN s[$measure] AS label, s[$against] AS other_label, s.sentence AS sentence,
    abs(coalesce(s[$measure + '_score'], 0) - coalesce(s[$against + '_score'], 0)) AS gap
}
WITH label, other_label, sentence, gap
ORDER BY gap DESC, sentence
WITH label, other_label, count(*) AS statements,
  collect(DISTINCT CASE WHEN label <> other_label THEN sentence END)[..$examples] AS sentences
WITH collect({label: label, other_label: other_label, statements: statements, sentences: sentences}) AS rows, sum(statements) AS total
UNWIND rows AS row
RETURN row.label AS label, row.other_label AS other_label, row.statements AS statements,
  100.0 * row.statements / total AS percent, row.sentences AS sentences
ORDER BY label = other_label, statements DESC, label, other_label
