// Who labelled
// Pairs of a statement and a target that it is about, by who set the label of a measure.
// takes: $measure string = 'sentiment': harm measure
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $category string = null: one category of targets, all where null
// takes: $target string = null: one target, all where null
// returns: scorer string|null: scorer and version, or people; null of pairs without a label
// returns: pairs int: pairs of a statement and a target that it is about
CALL () {
  // Triples at the concepts that name a target. Each concept is expanded once, however many targets share it.
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND t.name = coalesce($target, t.name)
  WITH DISTINCT c
  CALL (c) {
    MATCH (c)-[r]-()
    WHERE r.source = coalesce($source, r.source)
    RETURN CASE WHEN r[$measure] IS NOT NULL THEN coalesce(r[$measure + '_by'], 'unknown') END AS scorer, count(*) AS n
  }
  MATCH (c)-[link:NAMES]->(t:Target)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND t.name = coalesce($target, t.name)
  RETURN scorer, n
  UNION ALL
  // A triple between two concepts that name one target was counted twice.
  MATCH (t:Target)
  WHERE (size(t.names) > 1 OR count { (t)<-[:NAMES]-() } > 1) AND t.category = coalesce($category, t.category) AND t.name = coalesce($target, t.name)
  MATCH (t)<-[one:NAMES]-(a:Concept)-[r]->(b:Concept)-[two:NAMES]->(t)
  WHERE a <> b AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN one.lists, true) } AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN two.lists, true) }
    AND r.source = coalesce($source, r.source)
  RETURN CASE WHEN r[$measure] IS NOT NULL THEN coalesce(r[$measure + '_by'], 'unknown') END AS scorer, -count(r) AS n
  UNION ALL
  // Free sentences.
  MATCH (t:Target)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND s.source = coalesce($source, s.source) AND t.category = coalesce($category, t.category)
    AND t.name = coalesce($target, t.name)
  RETURN CASE WHEN s[$measure] IS NOT NULL THEN coalesce(s[$measure + '_by'], 'unknown') END AS scorer, count(s) AS n
}
WITH scorer, sum(n) AS pairs
WHERE pairs > 0
RETURN scorer, pairs
ORDER BY pairs DESC, scorer
