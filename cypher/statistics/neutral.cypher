// Mean and variance of the neutral share
// Mean and variance, over the targets, of the share of neutral statements: NSM and NSV of sentiment, NRM and NRV of regard,
// HNM of people's labels. They are over all targets that occur, and per category.
// takes: $source string = null: name of the source, all sources unless given
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the source
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all unless given
// takes: $min_support int = 1: fewest statements that a target must have
// returns: category string: all, or a category
// returns: targets int: targets that occur
// returns: pairs int: pairs of a statement and a target that it is about
// returns: neutral_mean float: mean over the targets of the percentage of neutral statements
// returns: neutral_variance float: population variance of it
// returns: unlabelled int: pairs that carry no label of the measure, counted as not neutral
// returns: counts list<list<int>>: n and neutral of each target, for the bootstrap
// keys: category
// first: neutral_mean neutral_variance targets
// group: disparity
// cites: Mehrabi et al. 2021, table 7 and section 4.3
// bootstrap: counts = n neutral
// interval: neutral_mean = mean of 100 neutral / n
// interval: neutral_variance = variance of 100 neutral / n
// measures: source neutral_mean neutral_variance
// behind: neutral_mean = neutral
// behind: neutral_variance = neutral
// for: readers
// shared: counts of each target
CALL () {
  // Triples at the concepts that name a target. Each concept is expanded once, however many targets share it.
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  CALL (c) {
    MATCH (c)-[r]-()
    WHERE r.source = coalesce($source, r.source)
    RETURN r[$measure] AS label, count(*) AS k
  }
  WITH c, sum(k) AS n,
    sum(CASE label WHEN 'positive' THEN k ELSE 0 END) AS positive,
    sum(CASE label WHEN 'negative' THEN k ELSE 0 END) AS negative,
    sum(CASE label WHEN 'neutral' THEN k ELSE 0 END) AS neutral,
    sum(CASE WHEN label IS NULL THEN 0 ELSE k END) AS labelled
  MATCH (c)-[link:NAMES]->(t:Target)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  RETURN t, n, positive, negative, neutral, labelled
  UNION ALL
  // A triple between two concepts that name one target was counted twice.
  MATCH (t:Target)
  WHERE (size(t.names) > 1 OR count { (t)<-[:NAMES]-() } > 1) AND t.category = coalesce($category, t.category)
  MATCH (t)<-[one:NAMES]-(a:Concept)-[r]->(b:Concept)-[two:NAMES]->(t)
  WHERE a <> b AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN one.lists, true) } AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN two.lists, true) }
    AND r.source = coalesce($source, r.source)
  RETURN t, -count(r) AS n, -count(CASE r[$measure] WHEN 'positive' THEN 1 END) AS positive,
    -count(CASE r[$measure] WHEN 'negative' THEN 1 END) AS negative, -count(CASE r[$measure] WHEN 'neutral' THEN 1 END) AS neutral,
    -count(r[$measure]) AS labelled
  UNION ALL
  // Free sentences.
  MATCH (t:Target)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND s.source = coalesce($source, s.source) AND t.category = coalesce($category, t.category)
  RETURN t, count(s) AS n, count(CASE s[$measure] WHEN 'positive' THEN 1 END) AS positive,
    count(CASE s[$measure] WHEN 'negative' THEN 1 END) AS negative, count(CASE s[$measure] WHEN 'neutral' THEN 1 END) AS neutral,
    count(s[$measure]) AS labelled
}
// end of shared
WITH t, sum(n) AS n, sum(neutral) AS neutral, sum(labelled) AS labelled
WHERE n >= $min_support AND n > 0
WITH collect({category: t.category, n: n, neutral: neutral, labelled: labelled}) AS rows
UNWIND rows AS row
UNWIND ['all', row.category] AS category
WITH category, row, 100.0 * row.neutral / row.n AS share
ORDER BY row.n, row.neutral // the bootstrap draws from the counts by their places
WITH category, count(*) AS targets, sum(row.n) AS pairs, avg(share) AS neutral_mean,
  stDevP(share) ^ 2 AS neutral_variance, sum(row.n - row.labelled) AS unlabelled, collect([row.n, row.neutral]) AS counts
RETURN category, targets, pairs, neutral_mean, neutral_variance, unlabelled, counts
ORDER BY category <> 'all', category
