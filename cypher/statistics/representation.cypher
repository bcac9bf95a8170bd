// Statements about each target, and D_R
// Statements per target, and their variance D_R over the targets that occur at least once.
// takes: $source string = null: name of the source, all sources unless given
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the source
// takes: $category string = null: one category of targets, all unless given
// returns: target string: name of the target
// returns: category string: category of the target
// returns: n int: statements about it
// returns: percent float: its share of all pairs of a statement and a target
// returns: d_r float: D_R, population variance of n over all targets here
// keys: target
// first: n percent
// group: disparity
// cites: Mehrabi et al. 2021, equation 3
// measures: target n
// behind: n = any
// for: readers
CALL () {
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  CALL (c) {
    MATCH (c)-[r]-()
    WHERE r.source = coalesce($source, r.source)
    RETURN count(*) AS k
  }
  WITH c, sum(k) AS n
  MATCH (c)-[link:NAMES]->(t:Target)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  RETURN t, n
  UNION ALL
  // A triple between two concepts that name one target was counted twice.
  MATCH (t:Target)
  WHERE (size(t.names) > 1 OR count { (t)<-[:NAMES]-() } > 1) AND t.category = coalesce($category, t.category)
  MATCH (t)<-[one:NAMES]-(a:Concept)-[r]->(b:Concept)-[two:NAMES]->(t)
  WHERE a <> b AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN one.lists, true) } AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN two.lists, true) }
    AND r.source = coalesce($source, r.source)
  RETURN t, -count(r) AS n
  UNION ALL
  MATCH (t:Target)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND s.source = coalesce($source, s.source) AND t.category = coalesce($category, t.category)
  RETURN t, count(s) AS n
}
WITH t, sum(n) AS n
WHERE n > 0
WITH collect({target: t.name, category: t.category, n: n}) AS rows, stDevP(n) ^ 2 AS d_r, sum(n) AS pairs
UNWIND rows AS row
RETURN row.target AS target, row.category AS category, row.n AS n, 100.0 * row.n / pairs AS percent, d_r
ORDER BY n DESC, target
