// Statements of each target whose label changed
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $was string: property of the measure that says what its label was before it changed
// takes: $relabelled string: ending of that property, such as @2, of labels that changed since import number 2
// returns: target string: name of the target
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
    AND r.source = $source AND r[$was] ENDS WITH $relabelled
  WITH DISTINCT t, r
  RETURN t.name AS target, count(*) AS k
  UNION ALL
  MATCH (list:TargetList)-[held:HOLDS]->(t:Target)<-[about:ABOUT]-(s:Statement {source: $source})
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(about.lists, [list.name])
    AND s[$was] ENDS WITH $relabelled
  WITH DISTINCT t, s
  RETURN t.name AS target, count(*) AS k
}
RETURN target, sum(k) AS statements
ORDER BY target
