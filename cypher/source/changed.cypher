// Statements about targets that an import changed
// Those that it brought, that it has not seen, or whose label changed since; with `since` and `without` null, the last alone.
// What is positive or negative comes first.
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measures list<string>: harm measures
// takes: $was list<string>: property of each measure that says what its label was before it changed
// takes: $since int = null: what this import brought, by its number
// takes: $without string = null: what the import of this id has not seen
// takes: $relabelled string = null: ending of those properties, such as @2, of labels that changed since import number 2
// takes: $target string = null: one target, all where null
// takes: $limit int = 1000: how many at most
// returns: targets list<string>: names of the targets that it is about
// returns: statement string: head, the relation's own name and tail; or the sentence
// returns: labels list<string|null>: its label of each measure, null where there is none
// returns: before list<string|null>: its label of each measure before it changed, null where it did not
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
CALL (lists) {
  MATCH (list:TargetList)-[held:HOLDS]->(t:Target)<-[named:NAMES]-(:Concept)-[r]-()
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
    AND r.source = $source AND t.name = coalesce($target, t.name)
    AND ($since IS NULL OR r.since = $since) AND ($without IS NULL OR r.import_id <> $without)
    AND ($relabelled IS NULL OR any(name IN $was WHERE r[name] ENDS WITH $relabelled))
  WITH DISTINCT r
  RETURN startNode(r) AS h, endNode(r) AS o, type(r) AS type, [name IN $measures | r[name]] AS labels, [name IN $was | r[name]] AS was,
    null AS text, [] AS about
  UNION ALL
  MATCH (list:TargetList)-[held:HOLDS]->(t:Target)<-[about:ABOUT]-(s:Statement {source: $source})
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(about.lists, [list.name])
    AND t.name = coalesce($target, t.name)
    AND ($since IS NULL OR s.since = $since) AND ($without IS NULL OR s.import_id <> $without)
    AND ($relabelled IS NULL OR any(name IN $was WHERE s[name] ENDS WITH $relabelled))
  WITH DISTINCT s, lists
  RETURN null AS h, null AS o, null AS type, [name IN $measures | s[name]] AS labels, [name IN $was | s[name]] AS was,
    s.text AS text, COLLECT {
      MATCH (s)-[about:ABOUT]->(t:Target)<-[held:HOLDS]-(list:TargetList)
      WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(about.lists, [list.name])
      RETURN t.name
    } AS about
}
WITH lists, labels, was, about, h, o,
  coalesce(text, h.text + ' ' + coalesce(COLLECT { MATCH (k:Relation {type: type}) RETURN k.name }[0], type) + ' ' + o.text) AS statement
ORDER BY any(label IN labels WHERE label IN ['positive', 'negative']) DESC, statement
LIMIT $limit
WITH *, about + COLLECT {
  MATCH (h)-[named:NAMES]->(t:Target)<-[held:HOLDS]-(list:TargetList)
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
  RETURN t.name
} + COLLECT {
  MATCH (o)-[named:NAMES]->(t:Target)<-[held:HOLDS]-(list:TargetList)
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
  RETURN t.name
} AS names
RETURN COLLECT { UNWIND names AS name RETURN DISTINCT name ORDER BY name } AS targets, statement, labels,
  [text IN was | CASE WHEN text ENDS WITH $relabelled THEN split(text, '@')[0] END] AS before
