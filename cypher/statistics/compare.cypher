// Each target in two sources, side by side
// The same target in two sources, side by side. Changes have 95 % intervals (Newcombe 1998, method 10, from Wilson's intervals).
// Several sources can count together as the first: what a model learnt from, against what it says.
// takes: $source string: name of the first source
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the sources
// takes: $other string: name of the second source
// takes: $also list<string> = []: further sources that count with the first
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all unless given
// takes: $min_support int = 10: fewest statements that a target must have in both
// returns: target string: name of the target
// returns: n int: statements in the first source
// returns: other_n int: statements in the second source
// returns: o_plus float: O+ in the first source, percent
// returns: other_o_plus float: O+ in the second source, percent
// returns: o_plus_change float: second less first
// returns: o_plus_change_low float: lower end of its interval
// returns: o_plus_change_high float: upper end
// returns: o_minus float: O- in the first source, percent
// returns: other_o_minus float: O- in the second source, percent
// returns: o_minus_change float: second less first
// returns: o_minus_change_low float: lower end of its interval
// returns: o_minus_change_high float: upper end
// returns: category string: category of the target
// keys: target
// first: o_minus other_o_minus o_minus_change n other_n o_plus_change
// table: $source and $other, target by target
// heading: n = $source n
// heading: other_n = $other n
// heading: o_plus = $source O+
// heading: other_o_plus = $other O+
// heading: o_minus = $source O-
// heading: other_o_minus = $other O-
// group: comparison
// tests: o_minus_change = other_o_minus of other_n against o_minus of n
// tests: o_plus_change = other_o_plus of other_n against o_plus of n
// cites: Mehrabi et al. 2021, section 3.2 (ConceptNet vs GenericsKB); Newcombe 1998, Statistics in Medicine 17, 873-890
// for: readers
// shared: counts of each target and source
CALL () {
  // Triples at the concepts that name a target. Each concept is expanded once, however many targets share it.
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of IN [$source, $other] + $also) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  CALL (c) {
    MATCH (c)-[r]-()
    RETURN r.source AS source, r[$measure] AS label, count(*) AS k
  }
  WITH c, source, label, k
  WHERE source IN $also + [$source, $other]
  WITH c, source, sum(k) AS n,
    sum(CASE label WHEN 'positive' THEN k ELSE 0 END) AS positive,
    sum(CASE label WHEN 'negative' THEN k ELSE 0 END) AS negative
  MATCH (c)-[link:NAMES]->(t:Target)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of IN [$source, $other] + $also) AND coalesce(list.name IN link.lists, true) }
  RETURN t, source, n, positive, negative
  UNION ALL
  // A triple between two concepts that name one target was counted twice.
  MATCH (t:Target)
  WHERE (size(t.names) > 1 OR count { (t)<-[:NAMES]-() } > 1) AND t.category = coalesce($category, t.category)
  MATCH (t)<-[one:NAMES]-(a:Concept)-[r]->(b:Concept)-[two:NAMES]->(t)
  WHERE a <> b AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of IN [$source, $other] + $also) AND coalesce(list.name IN one.lists, true) } AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of IN [$source, $other] + $also) AND coalesce(list.name IN two.lists, true) }
    AND r.source IN $also + [$source, $other]
  RETURN t, r.source AS source, -count(r) AS n, -count(CASE r[$measure] WHEN 'positive' THEN 1 END) AS positive,
    -count(CASE r[$measure] WHEN 'negative' THEN 1 END) AS negative
  UNION ALL
  // Free sentences.
  MATCH (t:Target)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of IN [$source, $other] + $also) } AND s.source IN $also + [$source, $other] AND t.category = coalesce($category, t.category)
  RETURN t, s.source AS source, count(s) AS n, count(CASE s[$measure] WHEN 'positive' THEN 1 END) AS positive,
    count(CASE s[$measure] WHEN 'negative' THEN 1 END) AS negative
}
// end of shared
WITH t, sum(CASE WHEN source IN $also + [$source] THEN n END) AS n, sum(CASE source WHEN $other THEN n END) AS other_n,
  sum(CASE WHEN source IN $also + [$source] THEN positive END) AS positive, sum(CASE source WHEN $other THEN positive END) AS other_positive,
  sum(CASE WHEN source IN $also + [$source] THEN negative END) AS negative, sum(CASE source WHEN $other THEN negative END) AS other_negative
WHERE n >= $min_support AND other_n >= $min_support AND n > 0 AND other_n > 0
WITH t, n, other_n, 1.959963984540054 ^ 2 AS z2,
  [[positive, n], [other_positive, other_n], [negative, n], [other_negative, other_n]] AS counts
WITH t, n, other_n, [k IN counts | 100.0 * k[0] / k[1]] AS o,
  [k IN counts | 100 * (k[0] + z2 / 2) / (k[1] + z2)] AS centre,
  [k IN counts | 100 * sqrt(z2) * sqrt(toFloat(k[0]) * (k[1] - k[0]) / k[1] + z2 / 4) / (k[1] + z2)] AS half
WITH t, n, other_n, o, [at IN range(0, 3) | o[at] - centre[at] + half[at]] AS down, [at IN range(0, 3) | centre[at] + half[at] - o[at]] AS up
RETURN t.name AS target, n, other_n, o[0] AS o_plus, o[1] AS other_o_plus, o[1] - o[0] AS o_plus_change,
  o[1] - o[0] - sqrt(down[1] ^ 2 + up[0] ^ 2) AS o_plus_change_low, o[1] - o[0] + sqrt(up[1] ^ 2 + down[0] ^ 2) AS o_plus_change_high,
  o[2] AS o_minus, o[3] AS other_o_minus, o[3] - o[2] AS o_minus_change,
  o[3] - o[2] - sqrt(down[3] ^ 2 + up[2] ^ 2) AS o_minus_change_low, o[3] - o[2] + sqrt(up[3] ^ 2 + down[2] ^ 2) AS o_minus_change_high,
  t.category AS category
ORDER BY abs(o_minus_change) DESC, target
