// Counts of each target in every source
// What several statistics count first, for all sources at once: statements about a target and their labels.
// takes: $lists list<string>: names of the target lists
// takes: $measure string = 'sentiment': harm measure
// returns: target string: element id of the target
// returns: category string: its category in the lists
// returns: source string: name of the source
// returns: n int: statements about it
// returns: positive int: positive ones
// returns: negative int: negative ones
// returns: neutral int: neutral ones
// returns: labelled int: those that carry a label of the measure
CALL () {
  // Their targets. Where several hold one, the first has its category. A group of a source that a list has too is the list's.
  MATCH (list:TargetList)-[held:HOLDS]->(t:Target)
  WHERE list.name IN $lists AND none(name IN held.unless WHERE name IN $lists)
  WITH t, list, held ORDER BY list.place
  RETURN t, collect(list.name) AS of, collect(held.category)[0] AS category
}
CALL (t, of) {
  // Triples at the concepts that name it.
  MATCH (t)<-[named:NAMES]-(c:Concept)
  WHERE named.lists IS NULL OR any(name IN named.lists WHERE name IN of)
  MATCH (c)-[r]-()
  RETURN r.source AS source, r[$measure] AS label, count(*) AS k
  UNION ALL
  // A triple between two concepts that name it was counted twice.
  WITH t, of
  WHERE COUNT { (t)<-[:NAMES]-() } > 1
  MATCH (t)<-[named:NAMES]-(a:Concept)-[r]->(b:Concept)-[also:NAMES]->(t)
  WHERE a <> b AND (named.lists IS NULL OR any(name IN named.lists WHERE name IN of))
    AND (also.lists IS NULL OR any(name IN also.lists WHERE name IN of))
  RETURN r.source AS source, r[$measure] AS label, -count(*) AS k
  UNION ALL
  // Free sentences.
  MATCH (t)<-[about:ABOUT]-(s:Statement)
  WHERE about.lists IS NULL OR any(name IN about.lists WHERE name IN of)
  RETURN s.source AS source, s[$measure] AS label, count(*) AS k
}
WITH t, category, source, label, k
WHERE source IS NOT NULL
RETURN elementId(t) AS target, category, source, sum(k) AS n,
  sum(CASE label WHEN 'positive' THEN k ELSE 0 END) AS positive,
  sum(CASE label WHEN 'negative' THEN k ELSE 0 END) AS negative,
  sum(CASE label WHEN 'neutral' THEN k ELSE 0 END) AS neutral,
  sum(CASE WHEN label IS NULL THEN 0 ELSE k END) AS labelled
ORDER BY target, source
