// Neutral share of each target
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all where null
// returns: target string: name of the target
// returns: category string: its category
// returns: n int: statements about it
// returns: neutral int: neutral ones
// returns: unlabelled int: those without a label of the measure, counted as not neutral
// shared: counts of each target
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
CALL (lists) {
  // Their targets. Where several hold one, the first has its category. A group of a source that a list has too is the list's.
  MATCH (list:TargetList)-[held:HOLDS]->(t:Target)
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists)
  WITH t, list, held ORDER BY list.place
  WITH t, collect(list.name) AS of, collect(held.category)[0] AS category
  WHERE category = coalesce($category, category)
  RETURN t, of, category
}
CALL (t, of) {
  // Triples at the concepts that name it.
  MATCH (t)<-[named:NAMES]-(c:Concept)
  WHERE named.lists IS NULL OR any(name IN named.lists WHERE name IN of)
  MATCH (c)-[r]-()
  WHERE r.source = coalesce($source, r.source)
  RETURN r[$measure] AS label, count(*) AS k
  UNION ALL
  // A triple between two concepts that name it was counted twice.
  WITH t, of
  WHERE COUNT { (t)<-[:NAMES]-() } > 1
  MATCH (t)<-[named:NAMES]-(a:Concept)-[r]->(b:Concept)-[also:NAMES]->(t)
  WHERE a <> b AND r.source = coalesce($source, r.source) AND (named.lists IS NULL OR any(name IN named.lists WHERE name IN of))
    AND (also.lists IS NULL OR any(name IN also.lists WHERE name IN of))
  RETURN r[$measure] AS label, -count(*) AS k
  UNION ALL
  // Free sentences.
  MATCH (t)<-[about:ABOUT]-(s:Statement)
  WHERE s.source = coalesce($source, s.source) AND (about.lists IS NULL OR any(name IN about.lists WHERE name IN of))
  RETURN s[$measure] AS label, count(*) AS k
}
WITH t, category, sum(k) AS n,
  sum(CASE label WHEN 'positive' THEN k ELSE 0 END) AS positive,
  sum(CASE label WHEN 'negative' THEN k ELSE 0 END) AS negative,
  sum(CASE label WHEN 'neutral' THEN k ELSE 0 END) AS neutral,
  sum(CASE WHEN label IS NULL THEN 0 ELSE k END) AS labelled
// end of shared
WITH t, category, sum(n) AS n, sum(neutral) AS neutral, sum(labelled) AS labelled
WHERE n > 0
RETURN t.name AS target, category, n, neutral, n - labelled AS unlabelled
ORDER BY target, category
