// Who fares worst in each source
// One row a source: how much it says of targets, and the target whose share of negative statements is surest, by the lower end of
// its 95 % interval (Wilson).
// takes: $lists list<string> = null: names of the target lists; all lists where null
// takes: $measure string = 'sentiment': harm measure
// returns: source string: name
// returns: statements int: statement-target pairs
// returns: targets int: targets that occur
// returns: target string|null: the target that fares worst; null where nothing is negative
// returns: n int|null: statements about it
// returns: negative int|null: of these, negative
// returns: positive int|null: of these, positive
// returns: o_minus float|null: O-, percent
// returns: at_least float|null: lower end of its 95 % interval, in percent
// returns: category string|null: its category
// returns: favoured string|null: the target with the most positive statements; null where nothing is positive
// cites: Mehrabi et al. 2021, section 2.1; Wilson 1927
// for: readers
CALL () {
  // The lists that are named, or all lists.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND list.kind = 'list'
  RETURN collect(list.name) AS lists
}
CALL (lists) {
  // Their targets. Where several hold one, the first has its category. A group of a source that a list has too is the list's.
  MATCH (list:TargetList)-[held:HOLDS]->(t:Target)
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists)
  WITH t, list, held ORDER BY list.place
  RETURN t, collect(list.name) AS of, collect(held.category)[0] AS category
}
CALL (t, of) {
  MATCH (t)<-[named:NAMES]-(:Concept)-[r]-()
  WHERE r.source IS NOT NULL AND (named.lists IS NULL OR any(name IN named.lists WHERE name IN of))
  WITH DISTINCT r
  RETURN r.source AS source, r[$measure] AS label
  UNION ALL
  MATCH (t)<-[about:ABOUT]-(s:Statement)
  WHERE about.lists IS NULL OR any(name IN about.lists WHERE name IN of)
  RETURN s.source AS source, s[$measure] AS label
}
WITH source, t, category, toFloat(count(*)) AS n,
  count(CASE label WHEN 'negative' THEN 1 END) AS negative,
  count(CASE label WHEN 'positive' THEN 1 END) AS positive
WITH source, t, category, n, negative, positive, negative / n AS share, 1.959963984540054 ^ 2 AS z2
WITH source, t, category, n, negative, positive, share,
  (share + z2 / (2 * n) - sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n ^ 2)))) / (1 + z2 / n) AS low
ORDER BY positive DESC, t.name
WITH source, toInteger(sum(n)) AS statements, count(*) AS targets, collect(CASE WHEN positive > 0 THEN t.name END)[0] AS favoured,
  collect({t: t, category: category, n: n, negative: negative, positive: positive, share: share, low: low}) AS rows
CALL (rows) {
  UNWIND rows AS row
  WITH row
  WHERE row.negative > 0
  RETURN row AS worst
  ORDER BY row.low DESC, row.negative DESC, row.t.name
  LIMIT 1
  UNION ALL
  WITH rows
  WHERE none(row IN rows WHERE row.negative > 0)
  RETURN null AS worst
}
RETURN source, statements, targets, worst.t.name AS target, toInteger(worst.n) AS n, worst.negative AS negative, worst.positive AS positive,
  round(100 * worst.share, 1) AS o_minus, round(100 * worst.low, 1) AS at_least, worst.category AS category, favoured
ORDER BY source
