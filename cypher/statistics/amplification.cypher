// Does a model amplify what it learnt
// Compares the harm of a second source, such as what a model generates, with that of the first, which it learnt from. Shown are
// mean favouritism and prejudice over the targets that both are about, and how much they differ from target to target. A positive
// change means more in the second source. Intervals are bootstraps over the targets, with the same targets on both sides.
// takes: $source string: name of the first source, such as what a model learnt from
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the sources
// takes: $other string: name of the second source
// takes: $also list<string> = []: further sources that count with the first
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all unless given
// takes: $relation string = null: only this relation, such as xWant, all unless given; a proposal counts with the relation that it would have
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
// heading: o_plus = $source O+
// heading: other_o_plus = $other O+
// heading: o_minus = $source O-
// heading: other_o_minus = $other O-
// heading: d_o_plus = $source D_O+
// heading: other_d_o_plus = $other D_O+
// heading: d_o_minus = $source D_O-
// heading: other_d_o_minus = $other D_O-
// group: models
// cites: Mehrabi et al. 2021, equations 1, 2 and 4
// bootstrap: counts = n positive negative other_n other_positive other_negative
// interval: o_plus_change = mean of 100 other_positive / other_n less 100 positive / n
// interval: o_minus_change = mean of 100 other_negative / other_n less 100 negative / n
// interval: d_o_plus_change = variance of 100 other_positive / other_n less 100 positive / n
// interval: d_o_minus_change = variance of 100 other_negative / other_n less 100 negative / n
// measures: source o_plus_change o_minus_change d_o_plus_change d_o_minus_change
// for: readers
WITH COLLECT { MATCH (k:Relation) WHERE k.name = $relation RETURN k.type } AS kinds
CALL (kinds) {
  // Triples at the concepts that name a target. Each concept is expanded once, however many targets share it.
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of IN [$source, $other] + $also) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  CALL (c, kinds) {
    MATCH (c)-[r]-()
    WHERE $relation IS NULL OR CASE type(r) WHEN 'PROPOSED' THEN r.assertion ELSE type(r) END IN kinds
    RETURN r.source AS source, r[$measure] AS label, count(*) AS k, count(r[$measure]) AS labelled
  }
  WITH c, source, label, k, labelled
  WHERE source IN $also + [$source, $other]
  WITH c, source, sum(k) AS n, sum(labelled) AS labelled,
    sum(CASE label WHEN 'positive' THEN k ELSE 0 END) AS positive,
    sum(CASE label WHEN 'negative' THEN k ELSE 0 END) AS negative
  MATCH (c)-[link:NAMES]->(t:Target)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of IN [$source, $other] + $also) AND coalesce(list.name IN link.lists, true) }
  RETURN t, source, n, positive, negative, labelled
  UNION ALL
  // A triple between two concepts that name one target was counted twice.
  MATCH (t:Target)
  WHERE (size(t.names) > 1 OR count { (t)<-[:NAMES]-() } > 1) AND t.category = coalesce($category, t.category)
  MATCH (t)<-[one:NAMES]-(a:Concept)-[r]->(b:Concept)-[two:NAMES]->(t)
  WHERE a <> b AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of IN [$source, $other] + $also) AND coalesce(list.name IN one.lists, true) } AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of IN [$source, $other] + $also) AND coalesce(list.name IN two.lists, true) }
    AND r.source IN $also + [$source, $other] AND ($relation IS NULL OR CASE type(r) WHEN 'PROPOSED' THEN r.assertion ELSE type(r) END IN kinds)
  RETURN t, r.source AS source, -count(r) AS n, -count(CASE r[$measure] WHEN 'positive' THEN 1 END) AS positive,
    -count(CASE r[$measure] WHEN 'negative' THEN 1 END) AS negative, -count(r[$measure]) AS labelled
  UNION ALL
  // Free sentences, which have no relation.
  MATCH (t:Target)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of IN [$source, $other] + $also) } AND $relation IS NULL AND s.source IN $also + [$source, $other] AND t.category = coalesce($category, t.category)
  RETURN t, s.source AS source, count(s) AS n, count(CASE s[$measure] WHEN 'positive' THEN 1 END) AS positive,
    count(CASE s[$measure] WHEN 'negative' THEN 1 END) AS negative, count(s[$measure]) AS labelled
}
WITH t, sum(n - labelled) AS unlabelled,
  sum(CASE WHEN source IN $also + [$source] THEN n END) AS n, sum(CASE source WHEN $other THEN n END) AS other_n,
  sum(CASE WHEN source IN $also + [$source] THEN positive END) AS positive, sum(CASE source WHEN $other THEN positive END) AS other_positive,
  sum(CASE WHEN source IN $also + [$source] THEN negative END) AS negative, sum(CASE source WHEN $other THEN negative END) AS other_negative
WHERE n >= $min_support AND other_n >= $min_support AND n > 0 AND other_n > 0
WITH collect({category: t.category, unlabelled: unlabelled,
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
