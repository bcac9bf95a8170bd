// Statements of each target by their labels
// A triple both of whose ends name one target counts once.
// takes: $source string: name of the source
// takes: $measures list<string>: harm measures
// takes: $since int = null: only what this import brought, by its number
// takes: $without string = null: only what the import of this id has not seen
// returns: target string: name of the target
// returns: labels list<string|null>: label of each measure, null where there is none
// returns: statements int: how many
CALL () {
  MATCH (t:Target)<-[:NAMES]-(:Concept)-[r]-()
  WHERE r.source = $source AND ($since IS NULL OR r.since = $since) AND ($without IS NULL OR r.import_id <> $without)
  WITH DISTINCT t, r
  RETURN t.name AS target, [name IN $measures | r[name]] AS labels, count(*) AS k
  UNION ALL
  MATCH (t:Target)<-[:ABOUT]-(s:Statement {source: $source})
  WHERE ($since IS NULL OR s.since = $since) AND ($without IS NULL OR s.import_id <> $without)
  RETURN t.name AS target, [name IN $measures | s[name]] AS labels, count(*) AS k
}
RETURN target, labels, sum(k) AS statements
ORDER BY target, labels
