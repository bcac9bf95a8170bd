// Compare two sources
// The same target in two sources, side by side, with 95 % intervals of the changes (Newcombe 1998, method 10, of Wilson's
// intervals). Several sources can stand together on the first side: what a model learnt from, against what it says.
// takes: $source string: name of the first source
// takes: $other string: name of the second source
// takes: $also list<string> = []: further sources that count with the first
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the sources, where null
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all where null
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
// heading: o_plus = $source o plus
// heading: other_o_plus = $other o plus
// heading: o_minus = $source o minus
// heading: other_o_minus = $other o minus
// cites: Mehrabi et al. 2021, section 3.2 (ConceptNet vs GenericsKB); Newcombe 1998, Statistics in Medicine 17, 873-890
// for: readers
// shared: counts of each target and source
CALL () {
  // The lists that are named, or all lists and the groups of the sources.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name IN $also + [$source, $other])
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
  // Triples at the concepts that name it.
  MATCH (t)<-[named:NAMES]-(c:Concept)
  WHERE named.lists IS NULL OR any(name IN named.lists WHERE name IN of)
  MATCH (c)-[r]-()
  WHERE r.source IN $also + [$source, $other]
  RETURN r.source AS source, r[$measure] AS label, count(*) AS k
  UNION ALL
  // A triple between two concepts that name it was counted twice.
  WITH t, of
  WHERE COUNT { (t)<-[:NAMES]-() } > 1
  MATCH (t)<-[named:NAMES]-(a:Concept)-[r]->(b:Concept)-[also:NAMES]->(t)
  WHERE a <> b AND r.source IN $also + [$source, $other] AND (named.lists IS NULL OR any(name IN named.lists WHERE name IN of))
    AND (also.lists IS NULL OR any(name IN also.lists WHERE name IN of))
  RETURN r.source AS source, r[$measure] AS label, -count(*) AS k
  UNION ALL
  // Free sentences.
  MATCH (t)<-[about:ABOUT]-(s:Statement)
  WHERE s.source IN $also + [$source, $other] AND (about.lists IS NULL OR any(name IN about.lists WHERE name IN of))
  RETURN s.source AS source, s[$measure] AS label, count(*) AS k
}
WITH t, category, source, sum(k) AS n,
  sum(CASE label WHEN 'positive' THEN k ELSE 0 END) AS positive,
  sum(CASE label WHEN 'negative' THEN k ELSE 0 END) AS negative
// end of shared
WITH t, category, sum(CASE WHEN source IN $also + [$source] THEN n END) AS n, sum(CASE source WHEN $other THEN n END) AS other_n,
  sum(CASE WHEN source IN $also + [$source] THEN positive END) AS positive, sum(CASE source WHEN $other THEN positive END) AS other_positive,
  sum(CASE WHEN source IN $also + [$source] THEN negative END) AS negative, sum(CASE source WHEN $other THEN negative END) AS other_negative
WHERE n >= $min_support AND other_n >= $min_support AND n > 0 AND other_n > 0
WITH t, category, n, other_n, 1.959963984540054 ^ 2 AS z2,
  [[positive, n], [other_positive, other_n], [negative, n], [other_negative, other_n]] AS counts
WITH t, category, n, other_n, [k IN counts | 100.0 * k[0] / k[1]] AS o,
  [k IN counts | 100 * (k[0] + z2 / 2) / (k[1] + z2)] AS centre,
  [k IN counts | 100 * sqrt(z2) * sqrt(toFloat(k[0]) * (k[1] - k[0]) / k[1] + z2 / 4) / (k[1] + z2)] AS half
WITH t, category, n, other_n, o, [at IN range(0, 3) | o[at] - centre[at] + half[at]] AS down, [at IN range(0, 3) | centre[at] + half[at] - o[at]] AS up
RETURN t.name AS target, n, other_n, o[0] AS o_plus, o[1] AS other_o_plus, o[1] - o[0] AS o_plus_change,
  o[1] - o[0] - sqrt(down[1] ^ 2 + up[0] ^ 2) AS o_plus_change_low, o[1] - o[0] + sqrt(up[1] ^ 2 + down[0] ^ 2) AS o_plus_change_high,
  o[2] AS o_minus, o[3] AS other_o_minus, o[3] - o[2] AS o_minus_change,
  o[3] - o[2] - sqrt(down[3] ^ 2 + up[2] ^ 2) AS o_minus_change_low, o[3] - o[2] + sqrt(up[3] ^ 2 + down[2] ^ 2) AS o_minus_change_high,
  category
ORDER BY abs(o_minus_change) DESC, target
