// Representation
// Statements per target, and their variance D_R over the targets that occur at least once.
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $category string = null: one category of targets, all where null
// returns: target string: name of the target
// returns: category string: category of the target
// returns: n int: statements about it
// returns: percent float: its share of all statement-target pairs
// returns: d_r float: D_R, population variance of n over all targets here
// keys: target
// first: n percent
// cites: Mehrabi et al. 2021, equation 3
// measures: target n
// for: readers
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
  MATCH (t)<-[named:NAMES]-(c:Concept)
  WHERE named.lists IS NULL OR any(name IN named.lists WHERE name IN of)
  MATCH (c)-[r]-()
  WHERE r.source = coalesce($source, r.source)
  RETURN count(*) AS k
  UNION ALL
  // A triple between two concepts that name it was counted twice.
  WITH t, of
  WHERE COUNT { (t)<-[:NAMES]-() } > 1
  MATCH (t)<-[named:NAMES]-(a:Concept)-[r]->(b:Concept)-[also:NAMES]->(t)
  WHERE a <> b AND r.source = coalesce($source, r.source) AND (named.lists IS NULL OR any(name IN named.lists WHERE name IN of))
    AND (also.lists IS NULL OR any(name IN also.lists WHERE name IN of))
  RETURN -count(*) AS k
  UNION ALL
  MATCH (t)<-[about:ABOUT]-(s:Statement)
  WHERE s.source = coalesce($source, s.source) AND (about.lists IS NULL OR any(name IN about.lists WHERE name IN of))
  RETURN count(*) AS k
}
WITH t, category, sum(k) AS n
WHERE n > 0
WITH t, category, n
ORDER BY n // sums of floating point numbers depend on the order
WITH collect({target: t.name, category: category, n: n}) AS rows, stDevP(n) ^ 2 AS d_r, sum(n) AS pairs
UNWIND rows AS row
RETURN row.target AS target, row.category AS category, row.n AS n, 100.0 * row.n / pairs AS percent, d_r
ORDER BY n DESC, target
