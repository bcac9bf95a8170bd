// Who meets favouritism, prejudice, or both
// Which targets are favoured, judged with prejudice, both, or neither, by thresholds on O+ and O-.
// takes: $source string = null: name of the source, all sources unless given
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the source
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all unless given
// takes: $favouritism float = null: lowest O+ of a favoured target, in percent; unless given, the mean over the targets
// takes: $prejudice float = null: lowest O- of a target that meets prejudice, in percent; unless given, the mean over the targets
// takes: $min_support int = 10: fewest statements that a target must have
// returns: target string: name of the target
// returns: category string: category of the target
// returns: region string: favouritism, prejudice, both or neutral
// returns: n int: statements about it
// returns: o_plus float: O+, percent
// returns: o_minus float: O-, percent
// returns: favouritism_from float: threshold on O+
// returns: prejudice_from float: threshold on O-
// keys: target
// first: region n o_plus o_minus
// group: rates
// cites: Mehrabi et al. 2021, figures 2, 8 and 9
// for: readers
// shared: counts of each target
CALL () {
  // Triples at the concepts that name a target. Each concept is expanded once, however many targets share it.
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  CALL (c) {
    MATCH (c)-[r]-()
    WHERE r.source = coalesce($source, r.source)
    RETURN r[$measure] AS label, count(*) AS k
  }
  WITH c, sum(k) AS n,
    sum(CASE label WHEN 'positive' THEN k ELSE 0 END) AS positive,
    sum(CASE label WHEN 'negative' THEN k ELSE 0 END) AS negative,
    sum(CASE label WHEN 'neutral' THEN k ELSE 0 END) AS neutral,
    sum(CASE WHEN label IS NULL THEN 0 ELSE k END) AS labelled
  MATCH (c)-[link:NAMES]->(t:Target)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  RETURN t, n, positive, negative, neutral, labelled
  UNION ALL
  // A triple between two concepts that name one target was counted twice.
  MATCH (t:Target)
  WHERE (size(t.names) > 1 OR count { (t)<-[:NAMES]-() } > 1) AND t.category = coalesce($category, t.category)
  MATCH (t)<-[one:NAMES]-(a:Concept)-[r]->(b:Concept)-[two:NAMES]->(t)
  WHERE a <> b AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN one.lists, true) } AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN two.lists, true) }
    AND r.source = coalesce($source, r.source)
  RETURN t, -count(r) AS n, -count(CASE r[$measure] WHEN 'positive' THEN 1 END) AS positive,
    -count(CASE r[$measure] WHEN 'negative' THEN 1 END) AS negative, -count(CASE r[$measure] WHEN 'neutral' THEN 1 END) AS neutral,
    -count(r[$measure]) AS labelled
  UNION ALL
  // Free sentences.
  MATCH (t:Target)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND s.source = coalesce($source, s.source) AND t.category = coalesce($category, t.category)
  RETURN t, count(s) AS n, count(CASE s[$measure] WHEN 'positive' THEN 1 END) AS positive,
    count(CASE s[$measure] WHEN 'negative' THEN 1 END) AS negative, count(CASE s[$measure] WHEN 'neutral' THEN 1 END) AS neutral,
    count(s[$measure]) AS labelled
}
// end of shared
WITH t, sum(n) AS n, sum(positive) AS positive, sum(negative) AS negative, sum(labelled) AS labelled
WHERE n >= $min_support AND n > 0
WITH t, n, positive, negative
ORDER BY n, positive, negative // a mean of fractions is the same to the last digit
WITH collect({target: t.name, category: t.category, n: n, o_plus: 100.0 * positive / n, o_minus: 100.0 * negative / n}) AS rows,
  avg(100.0 * positive / n) AS mean_plus, avg(100.0 * negative / n) AS mean_minus
WITH rows, coalesce($favouritism, mean_plus) AS favouritism_from, coalesce($prejudice, mean_minus) AS prejudice_from
UNWIND rows AS row
WITH row, favouritism_from, prejudice_from, row.o_plus >= favouritism_from AND row.o_plus > 0 AS favoured,
  row.o_minus >= prejudice_from AND row.o_minus > 0 AS prejudiced
RETURN row.target AS target, row.category AS category,
  CASE WHEN favoured AND prejudiced THEN 'both' WHEN favoured THEN 'favouritism' WHEN prejudiced THEN 'prejudice' ELSE 'neutral' END AS region,
  row.n AS n, row.o_plus AS o_plus, row.o_minus AS o_minus, favouritism_from, prejudice_from
ORDER BY region, category, target
