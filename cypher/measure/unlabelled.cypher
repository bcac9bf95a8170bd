// Statements without a label
// Pairs of a statement and a target that it is about, and those of them that lack a label of one of the measures.
// takes: $measures list<string>: harm measures
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $category string = null: one category of targets, all where null
// takes: $target string = null: one target, all where null
// returns: pairs int: pairs of a statement and a target that it is about
// returns: unlabelled int: of these, without a label
CALL () {
  // Triples at the concepts that name a target. Each concept is expanded once, however many targets share it.
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND t.name = coalesce($target, t.name)
  WITH DISTINCT c
  CALL (c) {
    MATCH (c)-[r]-()
    WHERE r.source = coalesce($source, r.source)
    RETURN count(*) AS n, count(CASE WHEN any(name IN $measures WHERE r[name] IS NULL) THEN 1 END) AS without
  }
  MATCH (c)-[link:NAMES]->(t:Target)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND t.name = coalesce($target, t.name)
  RETURN n, without
  UNION ALL
  // A triple between two concepts that name one target was counted twice.
  MATCH (t:Target)
  WHERE (size(t.names) > 1 OR count { (t)<-[:NAMES]-() } > 1) AND t.category = coalesce($category, t.category) AND t.name = coalesce($target, t.name)
  MATCH (t)<-[one:NAMES]-(a:Concept)-[r]->(b:Concept)-[two:NAMES]->(t)
  WHERE a <> b AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN one.lists, true) } AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN two.lists, true) }
    AND r.source = coalesce($source, r.source)
  RETURN -count(r) AS n, -count(CASE WHEN any(name IN $measures WHERE r[name] IS NULL) THEN 1 END) AS without
  UNION ALL
  // Free sentences.
  MATCH (t:Target)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND s.source = coalesce($source, s.source) AND t.category = coalesce($category, t.category)
    AND t.name = coalesce($target, t.name)
  RETURN count(s) AS n, count(CASE WHEN any(name IN $measures WHERE s[name] IS NULL) THEN 1 END) AS without
}
RETURN sum(n) AS pairs, sum(without) AS unlabelled
