// Mean of targets on several axes
// Where each target stands on each axis, such as warmth and competence, from -1 (low) to 1 (high). It is the mean over its
// statements that have a label of the axis. The coverage is the share of those among all its statements. The 95 % intervals are Wilson's (1927); that
// of a mean takes each score for a share of a success, and is rather too wide than too narrow.
// takes: $source string = null: name of the source, all sources unless given
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the source
// takes: $axes list<string> = ['warmth', 'competence']: an axis, the name of a measure; may be given again
// takes: $category string = null: one category of targets, all unless given
// takes: $target string = null: one target, all unless given
// takes: $min_support int = 1: fewest statements with a label of the axis that a target must have on one of the axes
// returns: target string: name of the target
// returns: category string: category of the target
// returns: axis string: the axis
// returns: mean float|null: mean score of the statements with a label of the axis, null where there is none
// returns: mean_low float|null: lower end of its interval
// returns: mean_high float|null: upper end
// returns: n int: statements about it with a label of the axis
// returns: statements int: statements about it
// returns: coverage float: share of the first among the second, percent
// returns: coverage_low float: lower end of its interval
// returns: coverage_high float: upper end
// keys: target axis
// first: mean n coverage
// scope: category axis
// group: rates
// cites: Nicolas and Caliskan 2025; Fiske, Cuddy, Glick and Xu 2002; Wilson 1927
// measures: target mean coverage
// empty: nothing to measure: no statement about a target has a label of these axes ('harmgraph label dimensions --dictionary FILE')
// for: readers
UNWIND $axes AS axis
WITH DISTINCT axis
CALL (axis) {
  // Triples at the concepts that name a target. Each concept is expanded once, however many targets share it.
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE t.category = coalesce($category, t.category) AND t.name = coalesce($target, t.name)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT axis, c
  CALL (axis, c) {
    MATCH (c)-[r]-()
    WHERE r.source = coalesce($source, r.source)
    RETURN count(*) AS statements, count(r[axis]) AS n, sum(CASE WHEN r[axis] IS NULL THEN 0.0 ELSE r[axis + '_score'] END) AS total
  }
  MATCH (c)-[link:NAMES]->(t:Target)
  WHERE t.category = coalesce($category, t.category) AND t.name = coalesce($target, t.name)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  RETURN t, statements, n, total
  UNION ALL
  // A triple between two concepts that name one target was counted twice.
  WITH axis
  MATCH (t:Target)
  WHERE (size(t.names) > 1 OR count { (t)<-[:NAMES]-() } > 1) AND t.category = coalesce($category, t.category) AND t.name = coalesce($target, t.name)
  MATCH (t)<-[one:NAMES]-(a:Concept)-[r]->(b:Concept)-[two:NAMES]->(t)
  WHERE a <> b AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN one.lists, true) } AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN two.lists, true) }
    AND r.source = coalesce($source, r.source)
  RETURN t, -count(r) AS statements, -count(r[axis]) AS n, -sum(CASE WHEN r[axis] IS NULL THEN 0.0 ELSE r[axis + '_score'] END) AS total
  UNION ALL
  // Free sentences.
  WITH axis
  MATCH (t:Target)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND s.source = coalesce($source, s.source)
    AND t.category = coalesce($category, t.category) AND t.name = coalesce($target, t.name)
  RETURN t, count(s) AS statements, count(s[axis]) AS n, sum(CASE WHEN s[axis] IS NULL THEN 0.0 ELSE s[axis + '_score'] END) AS total
}
WITH axis, t, sum(statements) AS statements, sum(n) AS n, sum(total) AS total
WHERE statements > 0
WITH t, collect({axis: axis, statements: statements, n: n, total: total}) AS rows
WHERE any(row IN rows WHERE row.n >= $min_support AND row.n > 0)
UNWIND rows AS row
// Without a statement on the axis, k is null, and so is all that follows from it.
WITH t, row.axis AS axis, toFloat(row.statements) AS m, row.n AS n, CASE WHEN row.n > 0 THEN toFloat(row.n) END AS k, row.total AS total,
  1.959963984540054 AS z, 1.959963984540054 ^ 2 AS z2
WITH t, axis, m, n, k, z, z2, total / k AS mean, (total / k + 1) / 2 AS p, n / m AS share
RETURN t.name AS target, t.category AS category, axis, mean,
  CASE WHEN p <= 0 THEN -1.0 ELSE 2 * (p + z2 / (2 * k) - z * sqrt(p * (1 - p) / k + z2 / (4 * k * k))) / (1 + z2 / k) - 1 END AS mean_low,
  CASE WHEN p >= 1 THEN 1.0 ELSE 2 * (p + z2 / (2 * k) + z * sqrt(p * (1 - p) / k + z2 / (4 * k * k))) / (1 + z2 / k) - 1 END AS mean_high,
  n, toInteger(m) AS statements, 100 * share AS coverage,
  CASE n WHEN 0 THEN 0.0 ELSE 100 * (share + z2 / (2 * m) - z * sqrt(share * (1 - share) / m + z2 / (4 * m * m))) / (1 + z2 / m) END AS coverage_low,
  CASE share WHEN 1.0 THEN 100.0 ELSE 100 * (share + z2 / (2 * m) + z * sqrt(share * (1 - share) / m + z2 / (4 * m * m))) / (1 + z2 / m) END AS coverage_high
ORDER BY target, axis
