// Categories
// Quartiles, whiskers and outliers of the targets in each category: what a box plot shows.
// Whiskers reach to the last target within 1.5 interquartile ranges of the box (Tukey 1977).
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all where null
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
// cites: Mehrabi et al. 2021, figures 1, 4, 5 and 11; Tukey 1977
// for: readers
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
WITH t, category, sum(n) AS n, sum(positive) AS positive, sum(negative) AS negative, sum(labelled) AS labelled
WHERE n >= $min_support AND n > 0
UNWIND [['n', toFloat(n)], ['o_plus', 100.0 * positive / n], ['o_minus', 100.0 * negative / n]] AS one
WITH category, one[0] AS value, collect({target: t.name, x: one[1]}) AS points,
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
