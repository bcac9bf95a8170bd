// Regions of overgeneralization
// Which targets are favoured, judged with prejudice, both, or neither, by thresholds on O+ and O-.
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all where null
// takes: $favouritism float = null: O+ in percent from which a target is favoured; the mean over the targets where null
// takes: $prejudice float = null: O- in percent from which a target meets prejudice; the mean over the targets where null
// takes: $min_support int = 10: fewest statements that a target must have
// returns: target string: name of the target
// returns: category string: category of the target
// returns: region string: favouritism, prejudice, both or neutral
// returns: n int: statements about it
// returns: o_plus float: O+, percent
// returns: o_minus float: O-, percent
// returns: favouritism_from float: threshold on O+
// returns: prejudice_from float: threshold on O-
// keys: target
// first: region n o_plus o_minus
// cites: Mehrabi et al. 2021, figures 2, 8 and 9
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
WITH t, category, sum(n) AS n, sum(positive) AS positive, sum(negative) AS negative, sum(labelled) AS labelled
WHERE n >= $min_support AND n > 0
WITH collect({target: t.name, category: category, n: n, o_plus: 100.0 * positive / n, o_minus: 100.0 * negative / n}) AS rows,
  avg(100.0 * positive / n) AS mean_plus, avg(100.0 * negative / n) AS mean_minus
WITH rows, coalesce($favouritism, mean_plus) AS favouritism_from, coalesce($prejudice, mean_minus) AS prejudice_from
UNWIND rows AS row
WITH row, favouritism_from, prejudice_from, row.o_plus >= favouritism_from AND row.o_plus > 0 AS favoured,
  row.o_minus >= prejudice_from AND row.o_minus > 0 AS prejudiced
RETURN row.target AS target, row.category AS category,
  CASE WHEN favoured AND prejudiced THEN 'both' WHEN favoured THEN 'favouritism' WHEN prejudiced THEN 'prejudice' ELSE 'neutral' END AS region,
  row.n AS n, row.o_plus AS o_plus, row.o_minus AS o_minus, favouritism_from, prejudice_from
ORDER BY region, category, target
