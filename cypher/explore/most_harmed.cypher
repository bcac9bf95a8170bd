// Most harmed targets
// Ranked by the share of statements that is negative at least: the lower end of its 95 % interval (Wilson),
// so that three sentences do not outrank three hundred.
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measure string = 'sentiment': harm measure
// takes: $source string = null: name of the source, every source where null
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
  MATCH (t)<-[named:NAMES]-(:Concept)-[r]-()
  WHERE r.source = coalesce($source, r.source) AND (named.lists IS NULL OR any(name IN named.lists WHERE name IN of))
  WITH DISTINCT r
  RETURN r[$measure] AS label
  UNION ALL
  MATCH (t)<-[about:ABOUT]-(s:Statement)
  WHERE s.source = coalesce($source, s.source) AND (about.lists IS NULL OR any(name IN about.lists WHERE name IN of))
  RETURN s[$measure] AS label
}
WITH t, category, toFloat(count(*)) AS n, count(label) AS labelled,
  count(CASE label WHEN 'negative' THEN 1 END) AS negative,
  count(CASE label WHEN 'positive' THEN 1 END) AS positive
WHERE labelled > 0
WITH t, category, n, negative, positive, negative / n AS share, 1.959963984540054 ^ 2 AS z2
WITH t, category, n, negative, positive, share,
  (share + z2 / (2 * n) - sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n ^ 2)))) / (1 + z2 / n) AS low
RETURN t.name AS target, category, toInteger(n) AS n, negative, positive,
  round(100 * share, 1) AS o_minus, round(100 * low, 1) AS at_least
ORDER BY low DESC, negative DESC, target
LIMIT $limit
