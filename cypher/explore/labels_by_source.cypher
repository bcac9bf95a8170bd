// How the sources compare
// Statements that name a target, per source and label.
// takes: $lists list<string> = null: names of the target lists; all lists where null
// takes: $measure string = 'sentiment': harm measure
// returns: source string: name
// returns: n int: statement-target pairs
// returns: negative int: of these, negative
// returns: positive int: of these, positive
// returns: polarised_percent float: share of both, in percent
// for: readers
CALL () {
  // The lists that are named, or all lists.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND list.kind = 'list'
  RETURN collect(list.name) AS lists
}
CALL (lists) {
  // Their targets. A group of a source that a list has too is the list's.
  MATCH (list:TargetList)-[held:HOLDS]->(t:Target)
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists)
  RETURN t, collect(list.name) AS of
}
CALL (t, of) {
  MATCH (t)<-[named:NAMES]-(:Concept)-[r]-()
  WHERE r.source IS NOT NULL AND (named.lists IS NULL OR any(name IN named.lists WHERE name IN of))
  WITH DISTINCT r
  RETURN r.source AS source, r[$measure] AS label
  UNION ALL
  MATCH (t)<-[about:ABOUT]-(s:Statement)
  WHERE about.lists IS NULL OR any(name IN about.lists WHERE name IN of)
  RETURN s.source AS source, s[$measure] AS label
}
WITH source, count(*) AS n,
  count(CASE label WHEN 'negative' THEN 1 END) AS negative,
  count(CASE label WHEN 'positive' THEN 1 END) AS positive
RETURN source, n, negative, positive, round(100.0 * (negative + positive) / n, 1) AS polarised_percent
ORDER BY source
