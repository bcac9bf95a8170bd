// Coverage
// What each target has: statements, relations and sources; targets without any statement come first.
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $category string = null: one category of targets, all where null
// takes: $without bool = false: only targets without any statement
// returns: target string: name of the target
// returns: category string: category of the target
// returns: statements int: statements about it
// returns: relations int: different relations among them
// returns: sources list<string>: sources that have a statement about it
// keys: target
// first: statements category
// cites: Mehrabi et al. 2021, section 2.2
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
  RETURN type(r) AS relation, r.source AS source, count(*) AS n
  UNION ALL
  // A triple between two concepts that name it was counted twice.
  WITH t, of
  WHERE COUNT { (t)<-[:NAMES]-() } > 1
  MATCH (t)<-[named:NAMES]-(a:Concept)-[r]->(b:Concept)-[also:NAMES]->(t)
  WHERE a <> b AND r.source = coalesce($source, r.source) AND (named.lists IS NULL OR any(name IN named.lists WHERE name IN of))
    AND (also.lists IS NULL OR any(name IN also.lists WHERE name IN of))
  RETURN type(r) AS relation, r.source AS source, -count(*) AS n
  UNION ALL
  MATCH (t)<-[about:ABOUT]-(s:Statement)
  WHERE s.source = coalesce($source, s.source) AND (about.lists IS NULL OR any(name IN about.lists WHERE name IN of))
  RETURN null AS relation, s.source AS source, count(*) AS n
  UNION ALL
  // A target without a statement is a row too.
  RETURN null AS relation, null AS source, 0 AS n
}
WITH t, category, sum(n) AS statements, count(DISTINCT relation) AS relations, collect(DISTINCT source) AS sources
WHERE NOT $without OR statements = 0
RETURN t.name AS target, category, statements, relations, COLLECT { UNWIND sources AS source RETURN source ORDER BY source } AS sources
ORDER BY statements, category, target
