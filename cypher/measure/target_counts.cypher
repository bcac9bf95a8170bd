// Counts of each target in every source
// What several statistics count first, for all sources at once: statements about a target and their labels.
// takes: $measure string = 'sentiment': harm measure
// takes: $lists list<string> = null: names of target lists; where null those that were loaded
// returns: target string: element id of the target
// returns: source string: name of the source
// returns: n int: statements about it
// returns: positive int: positive ones
// returns: negative int: negative ones
// returns: neutral int: neutral ones
// returns: labelled int: those that carry a label of the measure
CALL () {
  // Triples at the concepts that name a target. Each concept is expanded once, however many targets share it.
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  CALL (c) {
    MATCH (c)-[r]-()
    RETURN r.source AS source, r[$measure] AS label, count(*) AS k
  }
  WITH c, source, label, k
  WHERE source IS NOT NULL
  WITH c, source, sum(k) AS n,
    sum(CASE label WHEN 'positive' THEN k ELSE 0 END) AS positive,
    sum(CASE label WHEN 'negative' THEN k ELSE 0 END) AS negative,
    sum(CASE label WHEN 'neutral' THEN k ELSE 0 END) AS neutral,
    sum(CASE WHEN label IS NULL THEN 0 ELSE k END) AS labelled
  MATCH (c)-[link:NAMES]->(t:Target)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL) AND coalesce(list.name IN link.lists, true) }
  RETURN t, source, n, positive, negative, neutral, labelled
  UNION ALL
  // A triple between two concepts that name one target was counted twice.
  MATCH (t:Target)
  WHERE size(t.names) > 1 OR count { (t)<-[:NAMES]-() } > 1
  MATCH (t)<-[one:NAMES]-(a:Concept)-[r]->(b:Concept)-[two:NAMES]->(t)
  WHERE a <> b AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL) AND coalesce(list.name IN one.lists, true) } AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL) AND coalesce(list.name IN two.lists, true) }
    AND r.source IS NOT NULL
  RETURN t, r.source AS source, -count(r) AS n, -count(CASE r[$measure] WHEN 'positive' THEN 1 END) AS positive,
    -count(CASE r[$measure] WHEN 'negative' THEN 1 END) AS negative, -count(CASE r[$measure] WHEN 'neutral' THEN 1 END) AS neutral,
    -count(r[$measure]) AS labelled
  UNION ALL
  // Free sentences.
  MATCH (t:Target)<-[:ABOUT]-(s:Statement)
  WHERE s.source IS NOT NULL AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL) }
  RETURN t, s.source AS source, count(s) AS n, count(CASE s[$measure] WHEN 'positive' THEN 1 END) AS positive,
    count(CASE s[$measure] WHEN 'negative' THEN 1 END) AS negative, count(CASE s[$measure] WHEN 'neutral' THEN 1 END) AS neutral,
    count(s[$measure]) AS labelled
}
RETURN elementId(t) AS target, source, sum(n) AS n, sum(positive) AS positive, sum(negative) AS negative, sum(neutral) AS neutral,
  sum(labelled) AS labelled
ORDER BY target, source
