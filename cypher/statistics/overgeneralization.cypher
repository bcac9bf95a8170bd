// Overgeneralization
// How many of a target's statements are positive (favouritism, O+) and negative (prejudice, O-), in percent,
// with 95 % intervals of Wilson (1927).
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all where null
// takes: $target string = null: one target, all where null
// takes: $min_support int = 1: fewest statements that a target must have
// returns: target string: name of the target
// returns: category string: category of the target
// returns: n int: statements about it
// returns: positive int: positive ones
// returns: negative int: negative ones
// returns: o_plus float: O+, percent
// returns: o_plus_low float: lower end of its interval
// returns: o_plus_high float: upper end
// returns: o_minus float: O-, percent
// returns: o_minus_low float: lower end of its interval
// returns: o_minus_high float: upper end
// returns: unlabelled int: statements that carry no label of the measure, counted in n
// keys: target
// first: n o_minus o_plus category
// cites: Mehrabi et al. 2021, equations 1 and 2; Wilson 1927
// measures: target o_plus o_minus
// corrects: o_plus o_minus
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
WHERE n >= $min_support AND n > 0 AND t.name = coalesce($target, t.name)
WITH t, n, positive, negative, labelled, toFloat(positive) / n AS p_plus, toFloat(negative) / n AS p_minus,
  1.959963984540054 AS z, 1.959963984540054 ^ 2 AS z2
// Of none and of all the interval ends at 0 and at 100 exactly: the formula leaves what floating point lost, such as 4.9e-15.
RETURN t.name AS target, category, n, positive, negative,
  100 * p_plus AS o_plus,
  CASE positive WHEN 0 THEN 0.0 ELSE
    100 * (p_plus + z2 / (2 * n) - z * sqrt(p_plus * (1 - p_plus) / n + z2 / (4 * n * n))) / (1 + z2 / n) END AS o_plus_low,
  CASE positive WHEN n THEN 100.0 ELSE
    100 * (p_plus + z2 / (2 * n) + z * sqrt(p_plus * (1 - p_plus) / n + z2 / (4 * n * n))) / (1 + z2 / n) END AS o_plus_high,
  100 * p_minus AS o_minus,
  CASE negative WHEN 0 THEN 0.0 ELSE
    100 * (p_minus + z2 / (2 * n) - z * sqrt(p_minus * (1 - p_minus) / n + z2 / (4 * n * n))) / (1 + z2 / n) END AS o_minus_low,
  CASE negative WHEN n THEN 100.0 ELSE
    100 * (p_minus + z2 / (2 * n) + z * sqrt(p_minus * (1 - p_minus) / n + z2 / (4 * n * n))) / (1 + z2 / n) END AS o_minus_high,
  n - labelled AS unlabelled
ORDER BY o_minus DESC, n DESC, target
