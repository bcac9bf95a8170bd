// How the sources compare
// What each source says of targets, and how much of it is negative and positive.
// takes: $measure string = 'sentiment': harm measure
// returns: source string: name
// returns: pairs int: pairs of a statement and a target that it is about
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
WITH source, count(*) AS pairs,
  count(CASE label WHEN 'negative' THEN 1 END) AS negative,
  count(CASE label WHEN 'positive' THEN 1 END) AS positive
RETURN source, pairs, negative, positive, round(100.0 * (negative + positive) / pairs, 1) AS polarised_percent
ORDER BY source
