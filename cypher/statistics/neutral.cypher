// Neutral statements
// Mean and variance over the targets of the share of neutral statements: NSM and NSV of sentiment, NRM and NRV of regard,
// HNM of people's labels. Over all targets that occur, and within each category.
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all where null
// takes: $min_support int = 1: fewest statements that a target must have
// returns: category string: all, or a category
// returns: targets int: targets that occur
// returns: statements int: statement-target pairs
// returns: neutral_mean float: mean over the targets of the percentage of neutral statements
// returns: neutral_variance float: population variance of it
// returns: unlabelled int: pairs that carry no label of the measure, counted as not neutral
// returns: counts list<list<int>>: n and neutral of each target, for the bootstrap
// keys: category
// first: neutral_mean neutral_variance targets
// cites: Mehrabi et al. 2021, table 7 and section 4.3
// bootstrap: counts = n neutral
// interval: neutral_mean = mean of 100 neutral / n
// interval: neutral_variance = variance of 100 neutral / n
// measures: source neutral_mean neutral_variance
// for: readers
// shared: counts of each target
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
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
  WHERE r.source = coalesce($source, r.source)
  RETURN r[$measure] AS label, count(*) AS k
  UNION ALL
  // A triple between two concepts that name it was counted twice.
  WITH t, of
  WHERE COUNT { (t)<-[:NAMES]-() } > 1
  MATCH (t)<-[named:NAMES]-(a:Concept)-[r]->(b:Concept)-[also:NAMES]->(t)
  WHERE a <> b AND r.source = coalesce($source, r.source) AND (named.lists IS NULL OR any(name IN named.lists WHERE name IN of))
    AND (also.lists IS NULL OR any(name IN also.lists WHERE name IN of))
  RETURN r[$measure] AS label, -count(*) AS k
  UNION ALL
  // Free sentences.
  MATCH (t)<-[about:ABOUT]-(s:Statement)
  WHERE s.source = coalesce($source, s.source) AND (about.lists IS NULL OR any(name IN about.lists WHERE name IN of))
  RETURN s[$measure] AS label, count(*) AS k
}
WITH t, category, sum(k) AS n,
  sum(CASE label WHEN 'positive' THEN k ELSE 0 END) AS positive,
  sum(CASE label WHEN 'negative' THEN k ELSE 0 END) AS negative,
  sum(CASE label WHEN 'neutral' THEN k ELSE 0 END) AS neutral,
  sum(CASE WHEN label IS NULL THEN 0 ELSE k END) AS labelled
// end of shared
WITH t, category, sum(n) AS n, sum(neutral) AS neutral, sum(labelled) AS labelled
WHERE n >= $min_support AND n > 0
WITH collect({category: category, n: n, neutral: neutral, labelled: labelled}) AS rows
UNWIND rows AS row
UNWIND ['all', row.category] AS category
WITH category, row, 100.0 * row.neutral / row.n AS share
ORDER BY row.n, row.neutral // the bootstrap draws from the counts by their places
WITH category, count(*) AS targets, sum(row.n) AS statements, avg(share) AS neutral_mean,
  stDevP(share) ^ 2 AS neutral_variance, sum(row.n - row.labelled) AS unlabelled, collect([row.n, row.neutral]) AS counts
RETURN category, targets, statements, neutral_mean, neutral_variance, unlabelled, counts
ORDER BY category <> 'all', category
