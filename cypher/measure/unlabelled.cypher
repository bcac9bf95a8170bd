// Statements without a label
// Pairs of a statement and a target that it is about, and those of them that lack a label of one of the measures.
// takes: $measures list<string>: harm measures
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $category string = null: one category of targets, all where null
// takes: $target string = null: one target, all where null
// returns: statements int: statement-target pairs
// returns: unlabelled int: of these, without a label
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
  WITH t, of
  WHERE t.name = coalesce($target, t.name)
  MATCH (t)<-[named:NAMES]-(c:Concept)
  WHERE named.lists IS NULL OR any(name IN named.lists WHERE name IN of)
  MATCH (c)-[r]-()
  WHERE r.source = coalesce($source, r.source)
  RETURN count(*) AS n, count(CASE WHEN any(name IN $measures WHERE r[name] IS NULL) THEN 1 END) AS without
  UNION ALL
  // A triple between two concepts that name it was counted twice.
  WITH t, of
  WHERE t.name = coalesce($target, t.name) AND COUNT { (t)<-[:NAMES]-() } > 1
  MATCH (t)<-[named:NAMES]-(a:Concept)-[r]->(b:Concept)-[also:NAMES]->(t)
  WHERE a <> b AND r.source = coalesce($source, r.source) AND (named.lists IS NULL OR any(name IN named.lists WHERE name IN of))
    AND (also.lists IS NULL OR any(name IN also.lists WHERE name IN of))
  RETURN -count(r) AS n, -count(CASE WHEN any(name IN $measures WHERE r[name] IS NULL) THEN 1 END) AS without
  UNION ALL
  // Free sentences.
  WITH t, of
  WHERE t.name = coalesce($target, t.name)
  MATCH (t)<-[about:ABOUT]-(s:Statement)
  WHERE s.source = coalesce($source, s.source) AND (about.lists IS NULL OR any(name IN about.lists WHERE name IN of))
  RETURN count(s) AS n, count(CASE WHEN any(name IN $measures WHERE s[name] IS NULL) THEN 1 END) AS without
}
RETURN sum(n) AS statements, sum(without) AS unlabelled
