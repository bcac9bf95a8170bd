// Does a model amplify what it learnt
// The harm of a second source, such as what a model generates, against that of the first, which it learnt from: over the targets
// that both are about, mean favouritism and prejudice and how much they differ from target to target. Positive changes say more
// in the second. Intervals are bootstraps over the targets, the same targets on both sides.
// takes: $source string: name of the first source, such as what a model learnt from
// takes: $other string: name of the second source
// takes: $also list<string> = []: further sources that count with the first
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the sources, where null
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all where null
// takes: $relation string = null: name of one relation, such as xWant, of a proposal the one that it would have; all where null
// takes: $min_support int = 5: fewest statements that a target must have in both
// returns: category string: all, or a category
// returns: targets int: targets in both
// returns: n int: statements in the first source
// returns: other_n int: statements in the second source
// returns: o_plus float: mean over the targets of O+ in the first source, percent
// returns: other_o_plus float: in the second
// returns: o_plus_change float: second less first
// returns: o_minus float: mean of O- in the first source, percent
// returns: other_o_minus float: in the second
// returns: o_minus_change float: second less first
// returns: d_o_plus float: disparity D_O+ in the first source
// returns: other_d_o_plus float: in the second
// returns: d_o_plus_change float: second less first
// returns: d_o_minus float: disparity D_O- in the first source
// returns: other_d_o_minus float: in the second
// returns: d_o_minus_change float: second less first
// returns: unlabelled int: statements of both that carry no label of the measure, counted as neutral
// returns: counts list<list<int>>: of each target, for the bootstrap
// keys: category
// first: o_minus other_o_minus o_minus_change targets
// table: $source and $other, over the targets of both
// heading: n = $source n
// heading: other_n = $other n
// heading: o_plus = $source o plus
// heading: other_o_plus = $other o plus
// heading: o_minus = $source o minus
// heading: other_o_minus = $other o minus
// cites: Mehrabi et al. 2021, equations 1, 2 and 4
// bootstrap: counts = n positive negative other_n other_positive other_negative
// interval: o_plus_change = mean of 100 other_positive / other_n less 100 positive / n
// interval: o_minus_change = mean of 100 other_negative / other_n less 100 negative / n
// interval: d_o_plus_change = variance of 100 other_positive / other_n less 100 positive / n
// interval: d_o_minus_change = variance of 100 other_negative / other_n less 100 negative / n
// measures: source o_plus_change o_minus_change d_o_plus_change d_o_minus_change
// for: readers
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
WITH t, of, category, COLLECT { MATCH (k:Relation) WHERE k.name = $relation RETURN k.type } AS kinds
CALL (t, of, kinds) {
  // Triples at the concepts that name it.
  MATCH (t)<-[named:NAMES]-(c:Concept)
  WHERE named.lists IS NULL OR any(name IN named.lists WHERE name IN of)
  MATCH (c)-[r]-()
  WHERE r.source IN $also + [$source, $other] AND ($relation IS NULL OR CASE type(r) WHEN 'PROPOSED' THEN r.assertion ELSE type(r) END IN kinds)
  RETURN r.source AS source, r[$measure] AS label, count(*) AS k
  UNION ALL
  // A triple between two concepts that name it was counted twice.
  WITH t, of, kinds
  WHERE COUNT { (t)<-[:NAMES]-() } > 1
  MATCH (t)<-[named:NAMES]-(a:Concept)-[r]->(b:Concept)-[also:NAMES]->(t)
  WHERE a <> b AND r.source IN $also + [$source, $other] AND ($relation IS NULL OR CASE type(r) WHEN 'PROPOSED' THEN r.assertion ELSE type(r) END IN kinds)
    AND (named.lists IS NULL OR any(name IN named.lists WHERE name IN of)) AND (also.lists IS NULL OR any(name IN also.lists WHERE name IN of))
  RETURN r.source AS source, r[$measure] AS label, -count(*) AS k
  UNION ALL
  // Free sentences, which have no relation.
  MATCH (t)<-[about:ABOUT]-(s:Statement)
  WHERE $relation IS NULL AND s.source IN $also + [$source, $other]
    AND (about.lists IS NULL OR any(name IN about.lists WHERE name IN of))
  RETURN s.source AS source, s[$measure] AS label, count(*) AS k
}
WITH t, category, sum(CASE WHEN label IS NULL THEN k ELSE 0 END) AS unlabelled,
  sum(CASE WHEN source IN $also + [$source] THEN k END) AS n, sum(CASE source WHEN $other THEN k END) AS other_n,
  sum(CASE WHEN source IN $also + [$source] AND label = 'positive' THEN k END) AS positive,
  sum(CASE WHEN source = $other AND label = 'positive' THEN k END) AS other_positive,
  sum(CASE WHEN source IN $also + [$source] AND label = 'negative' THEN k END) AS negative,
  sum(CASE WHEN source = $other AND label = 'negative' THEN k END) AS other_negative
WHERE n >= $min_support AND other_n >= $min_support AND n > 0 AND other_n > 0
WITH collect({category: category, unlabelled: unlabelled,
  counts: [n, positive, negative, other_n, other_positive, other_negative]}) AS rows
UNWIND rows AS row
UNWIND ['all', row.category] AS category
WITH category, row, row.counts AS k
ORDER BY k[0], k[1], k[2], k[3], k[4], k[5] // the bootstrap draws from the counts by their places
WITH category, count(*) AS targets, sum(k[0]) AS n, sum(k[3]) AS other_n, sum(row.unlabelled) AS unlabelled, collect(k) AS counts,
  avg(100.0 * k[1] / k[0]) AS o_plus, avg(100.0 * k[4] / k[3]) AS other_o_plus,
  avg(100.0 * k[2] / k[0]) AS o_minus, avg(100.0 * k[5] / k[3]) AS other_o_minus,
  stDevP(100.0 * k[1] / k[0]) ^ 2 AS d_o_plus, stDevP(100.0 * k[4] / k[3]) ^ 2 AS other_d_o_plus,
  stDevP(100.0 * k[2] / k[0]) ^ 2 AS d_o_minus, stDevP(100.0 * k[5] / k[3]) ^ 2 AS other_d_o_minus
RETURN category, targets, n, other_n, o_plus, other_o_plus, other_o_plus - o_plus AS o_plus_change,
  o_minus, other_o_minus, other_o_minus - o_minus AS o_minus_change,
  d_o_plus, other_d_o_plus, other_d_o_plus - d_o_plus AS d_o_plus_change,
  d_o_minus, other_d_o_minus, other_d_o_minus - d_o_minus AS d_o_minus_change, unlabelled, counts
ORDER BY category <> 'all', category
