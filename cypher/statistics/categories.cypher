// Quartiles and outliers within each category
// Quartiles, whiskers and outliers of the targets per category, as in a box plot.
// Whiskers reach to the last target within 1.5 interquartile ranges of the box (Tukey 1977).
// takes: $source string = null: name of the source, all sources unless given
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the source
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all unless given
// takes: $min_support int = 1: fewest statements that a target must have
// returns: category string: category
// returns: value string: what is compared: n, o_plus or o_minus
// returns: targets int: targets that occur
// returns: minimum float: smallest value
// returns: whisker_low float: lower whisker
// returns: q1 float: first quartile
// returns: median float: median
// returns: q3 float: third quartile
// returns: whisker_high float: upper whisker
// returns: maximum float: largest value
// returns: mean float: mean
// returns: outliers list<string>: names of the targets beyond the whiskers, the furthest first
// keys: category value
// first: median q1 q3 outliers targets
// group: disparity
// cites: Mehrabi et al. 2021, figures 1, 4, 5 and 11; Tukey 1977
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
UNWIND [['n', toFloat(n)], ['o_plus', 100.0 * positive / n], ['o_minus', 100.0 * negative / n]] AS one
WITH t.category AS category, one[0] AS value, collect({target: t.name, x: one[1]}) AS points,
  count(*) AS targets, min(one[1]) AS minimum, max(one[1]) AS maximum, avg(one[1]) AS mean,
  percentileCont(one[1], 0.25) AS q1, percentileCont(one[1], 0.5) AS median, percentileCont(one[1], 0.75) AS q3
WITH *, q1 - 1.5 * (q3 - q1) AS fence_low, q3 + 1.5 * (q3 - q1) AS fence_high
CALL (points, median, fence_low, fence_high) {
  UNWIND points AS point
  WITH point, median, point.x < fence_low OR point.x > fence_high AS beyond
  ORDER BY abs(point.x - median) DESC, point.target
  RETURN min(CASE WHEN NOT beyond THEN point.x END) AS whisker_low, max(CASE WHEN NOT beyond THEN point.x END) AS whisker_high,
    collect(CASE WHEN beyond THEN point.target END) AS outliers
}
RETURN category, value, targets, minimum, whisker_low, q1, median, q3, whisker_high, maximum, mean, outliers
ORDER BY value, category
