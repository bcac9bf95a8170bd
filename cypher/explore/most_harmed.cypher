// Most harmed targets
// Ranked by the share of statements that is negative at least: the lower end of its 95 % interval (Wilson),
// so that three sentences do not outrank three hundred.
// takes: $measure string = 'sentiment': harm measure
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $category string = null: one category of targets, all where null
// takes: $limit int = 15: how many targets at most
// returns: target string: name
// returns: category string: category
// returns: n int: statements about it
// returns: negative int: of these, negative
// returns: positive int: of these, positive
// returns: o_minus float: O-, percent
// returns: at_least float: lower end of its 95 % interval, in percent
// cites: Mehrabi et al. 2021, section 2.1; Wilson 1927
// for: readers
MATCH (t:Target)
WHERE t.category = coalesce($category, t.category)
CALL (t) {
  MATCH (t)<-[link:NAMES]-(:Concept)-[r]-()
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND r.source = coalesce($source, r.source)
  WITH DISTINCT r
  RETURN r[$measure] AS label
  UNION ALL
  MATCH (t)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND s.source = coalesce($source, s.source)
  RETURN s[$measure] AS label
}
WITH t, toFloat(count(*)) AS n, count(label) AS labelled,
  count(CASE label WHEN 'negative' THEN 1 END) AS negative,
  count(CASE label WHEN 'positive' THEN 1 END) AS positive
WHERE labelled > 0
WITH t, n, negative, positive, negative / n AS share, 1.959963984540054 ^ 2 AS z2
WITH t, n, negative, positive, share,
  (share + z2 / (2 * n) - sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n ^ 2)))) / (1 + z2 / n) AS low
RETURN t.name AS target, t.category AS category, toInteger(n) AS n, negative, positive,
  round(100 * share, 1) AS o_minus, round(100 * low, 1) AS at_least
ORDER BY low DESC, negative DESC, target
LIMIT $limit
