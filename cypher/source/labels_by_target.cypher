// Statements of each target by their labels
// A triple both of whose ends name one target counts once.
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measures list<string>: harm measures
// takes: $since int = null: only what this import brought, by its number
// takes: $without string = null: only what the import of this id has not seen
// returns: target string: name of the target
// returns: labels list<string|null>: label of each measure, null where there is none
// returns: statements int: how many
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
CALL (lists) {
  MATCH (list:TargetList)-[held:HOLDS]->(t:Target)<-[named:NAMES]-(:Concept)-[r]-()
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
    AND r.source = $source AND ($since IS NULL OR r.since = $since) AND ($without IS NULL OR r.import_id <> $without)
  WITH DISTINCT t, r
  RETURN t.name AS target, [name IN $measures | r[name]] AS labels, count(*) AS k
  UNION ALL
  MATCH (list:TargetList)-[held:HOLDS]->(t:Target)<-[about:ABOUT]-(s:Statement {source: $source})
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(about.lists, [list.name])
    AND ($since IS NULL OR s.since = $since) AND ($without IS NULL OR s.import_id <> $without)
  WITH DISTINCT t, s
  RETURN t.name AS target, [name IN $measures | s[name]] AS labels, count(*) AS k
}
RETURN target, labels, sum(k) AS statements
ORDER BY target, labels
