// How the sources compare
// Statements that name a target, per source and label.
// takes: $measure string = 'sentiment': harm measure
// returns: source string: name
// returns: n int: statement-target pairs
// returns: negative int: of these, negative
// returns: positive int: of these, positive
// returns: polarised_percent float: share of both, in percent
// for: readers
MATCH (t:Target)
CALL (t) {
  MATCH (t)<-[:NAMES]-(:Concept)-[r]-()
  WHERE r.source IS NOT NULL
  WITH DISTINCT r
  RETURN r.source AS source, r[$measure] AS label
  UNION ALL
  MATCH (t)<-[:ABOUT]-(s:Statement)
  RETURN s.source AS source, s[$measure] AS label
}
WITH source, count(*) AS n,
  count(CASE label WHEN 'negative' THEN 1 END) AS negative,
  count(CASE label WHEN 'positive' THEN 1 END) AS positive
RETURN source, n, negative, positive, round(100.0 * (negative + positive) / n, 1) AS polarised_percent
ORDER BY source
