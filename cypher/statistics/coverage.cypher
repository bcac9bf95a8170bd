// What each target has: statements, sources
// What each target has: statements, relations and sources. Targets without any statement come first.
// takes: $source string = null: name of the source, all sources unless given
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the source
// takes: $category string = null: one category of targets, all unless given
// takes: $without bool = false: only targets without any statement
// returns: target string: name of the target
// returns: category string: category of the target
// returns: statements int: statements about it
// returns: relations int: different relations among them
// returns: sources list<string>: sources that have a statement about it
// keys: target
// first: statements category
// group: graph
// cites: Mehrabi et al. 2021, section 2.2
// for: readers
CALL () {
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  CALL (c) {
    MATCH (c)-[r]-()
    WHERE r.source = coalesce($source, r.source)
    RETURN type(r) AS relation, r.source AS source, count(*) AS n
  }
  MATCH (c)-[link:NAMES]->(t:Target)
  WHERE t.category = coalesce($category, t.category)
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  RETURN t, relation, source, n
  UNION ALL
  // A triple between two concepts that name one target was counted twice.
  MATCH (t:Target)
  WHERE (size(t.names) > 1 OR count { (t)<-[:NAMES]-() } > 1) AND t.category = coalesce($category, t.category)
  MATCH (t)<-[one:NAMES]-(a:Concept)-[r]->(b:Concept)-[two:NAMES]->(t)
  WHERE a <> b AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN one.lists, true) } AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN two.lists, true) }
    AND r.source = coalesce($source, r.source)
  RETURN t, type(r) AS relation, r.source AS source, -count(*) AS n
  UNION ALL
  MATCH (t:Target)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND s.source = coalesce($source, s.source) AND t.category = coalesce($category, t.category)
  RETURN t, null AS relation, s.source AS source, count(*) AS n
  UNION ALL
  // Every target, so that those without a statement are rows too.
  MATCH (t:Target)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND t.category = coalesce($category, t.category)
  RETURN t, null AS relation, null AS source, 0 AS n
}
WITH t, sum(n) AS statements, count(DISTINCT relation) AS relations, collect(DISTINCT source) AS sources
WHERE NOT $without OR statements = 0
RETURN t.name AS target, t.category AS category, statements, relations, sources
ORDER BY statements, category, target
