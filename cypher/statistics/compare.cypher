// Compare two sources
// The same target in two sources, side by side.
// takes: $source string: name of the first source
// takes: $other string: name of the second source
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all where null
// takes: $min_support int = 10: fewest statements that a target must have in both
// returns: target string: name of the target
// returns: n int: statements in the first source
// returns: other_n int: statements in the second source
// returns: o_plus float: O+ in the first source, percent
// returns: other_o_plus float: O+ in the second source, percent
// returns: o_plus_change float: second less first
// returns: o_minus float: O- in the first source, percent
// returns: other_o_minus float: O- in the second source, percent
// returns: o_minus_change float: second less first
// returns: category string: category of the target
// keys: target
// first: o_minus other_o_minus o_minus_change n other_n o_plus_change
// table: $source and $other, target by target
// heading: n = $source n
// heading: other_n = $other n
// heading: o_plus = $source o plus
// heading: other_o_plus = $other o plus
// heading: o_minus = $source o minus
// heading: other_o_minus = $other o minus
// cites: Mehrabi et al. 2021, section 3.2 (ConceptNet vs GenericsKB)
// for: readers
CALL () {
  // Triples at the concepts that name a target. Each concept is expanded once, however many targets share it.
  MATCH (t:Target)<-[:NAMES]-(c:Concept)
  WHERE t.category = coalesce($category, t.category)
  WITH DISTINCT c
  CALL (c) {
    MATCH (c)-[r]-()
    RETURN r.source AS source, r[$measure] AS label, count(*) AS k
  }
  WITH c, source, label, k
  WHERE source IN [$source, $other]
  WITH c, source, sum(k) AS n,
    sum(CASE label WHEN 'positive' THEN k ELSE 0 END) AS positive,
    sum(CASE label WHEN 'negative' THEN k ELSE 0 END) AS negative
  MATCH (c)-[:NAMES]->(t:Target)
  WHERE t.category = coalesce($category, t.category)
  RETURN t, source, n, positive, negative
  UNION ALL
  // A triple between two names of one target was counted twice.
  MATCH (t:Target)
  WHERE size(t.names) > 1 AND t.category = coalesce($category, t.category)
  MATCH (t)<-[:NAMES]-(a)-[r]->(b)-[:NAMES]->(t)
  WHERE a <> b AND r.source IN [$source, $other]
  RETURN t, r.source AS source, -count(r) AS n, -count(CASE r[$measure] WHEN 'positive' THEN 1 END) AS positive,
    -count(CASE r[$measure] WHEN 'negative' THEN 1 END) AS negative
  UNION ALL
  // Free sentences.
  MATCH (t:Target)<-[:ABOUT]-(s:Statement)
  WHERE s.source IN [$source, $other] AND t.category = coalesce($category, t.category)
  RETURN t, s.source AS source, count(s) AS n, count(CASE s[$measure] WHEN 'positive' THEN 1 END) AS positive,
    count(CASE s[$measure] WHEN 'negative' THEN 1 END) AS negative
}
WITH t, sum(CASE source WHEN $source THEN n END) AS n, sum(CASE source WHEN $other THEN n END) AS other_n,
  sum(CASE source WHEN $source THEN positive END) AS positive, sum(CASE source WHEN $other THEN positive END) AS other_positive,
  sum(CASE source WHEN $source THEN negative END) AS negative, sum(CASE source WHEN $other THEN negative END) AS other_negative
WHERE n >= $min_support AND other_n >= $min_support AND n > 0 AND other_n > 0
WITH t, n, other_n, 100.0 * positive / n AS o_plus, 100.0 * other_positive / other_n AS other_o_plus,
  100.0 * negative / n AS o_minus, 100.0 * other_negative / other_n AS other_o_minus
RETURN t.name AS target, n, other_n, o_plus, other_o_plus, other_o_plus - o_plus AS o_plus_change,
  o_minus, other_o_minus, other_o_minus - o_minus AS o_minus_change, t.category AS category
ORDER BY abs(o_minus_change) DESC, target
