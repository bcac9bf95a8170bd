// Who fares worst in each source
// One row a source: how much it says of targets, and the target whose share of negative statements is surest, by the lower end of
// its 95 % interval (Wilson). Of the targets of the lists that were loaded, and the groups of the source.
// takes: $measure string = 'sentiment': harm measure
// returns: source string: name
// returns: pairs int: pairs of a statement and a target that it is about
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
MATCH (t:Target)
CALL (t) {
  MATCH (t)<-[link:NAMES]-(:Concept)-[r]-()
  WHERE r.source IS NOT NULL AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE (list.of IS NULL OR list.of = r.source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT r
  RETURN r.source AS source, r[$measure] AS label
  UNION ALL
  MATCH (t)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE (list.of IS NULL OR list.of = s.source) }
  RETURN s.source AS source, s[$measure] AS label
}
WITH source, t, toFloat(count(*)) AS n,
  count(CASE label WHEN 'negative' THEN 1 END) AS negative,
  count(CASE label WHEN 'positive' THEN 1 END) AS positive
WITH source, t, n, negative, positive, negative / n AS share, 1.959963984540054 ^ 2 AS z2
WITH source, t, n, negative, positive, share,
  (share + z2 / (2 * n) - sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n ^ 2)))) / (1 + z2 / n) AS low
ORDER BY positive DESC, t.name
WITH source, toInteger(sum(n)) AS pairs, count(*) AS targets, collect(CASE WHEN positive > 0 THEN t.name END)[0] AS favoured,
  collect({t: t, n: n, negative: negative, positive: positive, share: share, low: low}) AS rows
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
RETURN source, pairs, targets, worst.t.name AS target, toInteger(worst.n) AS n, worst.negative AS negative, worst.positive AS positive,
  round(100 * worst.share, 1) AS o_minus, round(100 * worst.low, 1) AS at_least, worst.t.category AS category, favoured
ORDER BY source
