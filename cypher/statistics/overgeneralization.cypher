// Favouritism O+ and prejudice O- of targets
// How many of a target's statements are positive (favouritism, O+) and negative (prejudice, O-), in percent. The 95 % intervals are
// Wilson's (1927).
// takes: $source string = null: name of the source, all sources unless given
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the source
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all unless given
// takes: $target string = null: one target, all unless given
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
// group: rates
// cites: Mehrabi et al. 2021, equations 1 and 2; Wilson 1927
// measures: target o_plus o_minus
// behind: o_plus = positive
// behind: o_minus = negative
// corrects: o_plus o_minus
// tests: o_minus of n
// tests: o_plus of n
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
WHERE n >= $min_support AND n > 0 AND t.name = coalesce($target, t.name)
WITH t, n, positive, negative, labelled, toFloat(positive) / n AS p_plus, toFloat(negative) / n AS p_minus,
  1.959963984540054 AS z, 1.959963984540054 ^ 2 AS z2
// Of none and of all the interval ends at 0 and at 100 exactly: the formula leaves what floating point lost, such as 4.9e-15.
RETURN t.name AS target, t.category AS category, n, positive, negative,
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
