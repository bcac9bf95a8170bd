// How unequally targets fare: D_R, D_O+, D_O-
// How differently the targets are represented (D_R) and judged (D_O+, D_O-). These are population variances over the targets that
// occur at least once: over all of them, and per category.
// takes: $source string = null: name of the source, all sources unless given
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the source
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all unless given
// takes: $min_support int = 1: fewest statements that a target must have
// returns: category string: all, or a category
// returns: targets int: targets that occur
// returns: pairs int: pairs of a statement and a target that it is about
// returns: polarised_percent float: share of the pairs that are positive or negative
// returns: d_r float: D_R
// returns: d_o_plus float: D_O+, of O+ in percent
// returns: d_o_minus float: D_O-, of O- in percent
// returns: unlabelled int: pairs that carry no label of the measure
// returns: counts list<list<int>>: n, positive, negative of each target, for the bootstrap
// keys: category
// first: d_r d_o_plus d_o_minus targets
// group: disparity
// cites: Mehrabi et al. 2021, equations 3 and 4, table 4
// bootstrap: counts = n positive negative
// interval: d_r = variance of n
// interval: d_o_plus = variance of 100 positive / n
// interval: d_o_minus = variance of 100 negative / n
// measures: source d_r d_o_plus d_o_minus polarised_percent
// behind: d_r = any
// behind: d_o_plus = positive
// behind: d_o_minus = negative
// behind: polarised_percent = positive negative
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
WITH collect({category: t.category, n: n, positive: positive, negative: negative, labelled: labelled}) AS rows
UNWIND rows AS row
UNWIND ['all', row.category] AS category
WITH category, row, 100.0 * row.positive / row.n AS o_plus, 100.0 * row.negative / row.n AS o_minus
ORDER BY row.n, row.positive, row.negative // the bootstrap draws from the counts by their places
WITH category, count(*) AS targets, sum(row.n) AS pairs,
  100.0 * sum(row.positive + row.negative) / sum(row.n) AS polarised_percent,
  stDevP(row.n) ^ 2 AS d_r, stDevP(o_plus) ^ 2 AS d_o_plus, stDevP(o_minus) ^ 2 AS d_o_minus,
  sum(row.n - row.labelled) AS unlabelled, collect([row.n, row.positive, row.negative]) AS counts
RETURN category, targets, pairs, polarised_percent, d_r, d_o_plus, d_o_minus, unlabelled, counts
ORDER BY category <> 'all', category
