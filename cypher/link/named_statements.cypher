// Statements that name a target
// Triples at a concept that names a target, each once, and sentences about one: what the statistics count.
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $source string = null: name of the source, every source where null
// returns: statements int: how many
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
CALL (lists) {
  MATCH (list:TargetList)-[held:HOLDS]->(:Target)<-[named:NAMES]-(c:Concept)
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
  WITH DISTINCT c
  MATCH (c)-[r]->()
  WHERE r.source = coalesce($source, r.source)
  RETURN count(r) AS found
  UNION ALL
  MATCH (list:TargetList)-[held:HOLDS]->(:Target)<-[named:NAMES]-(c:Concept)
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
  WITH DISTINCT c, lists
  MATCH (c)<-[r]-(o)
  WHERE r.source = coalesce($source, r.source) AND NOT EXISTS {
    MATCH (o)-[named:NAMES]->(:Target)<-[held:HOLDS]-(list:TargetList)
    WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
  }
  RETURN count(r) AS found
  UNION ALL
  MATCH (list:TargetList)-[held:HOLDS]->(:Target)<-[about:ABOUT]-(s:Statement)
  WHERE s.source = coalesce($source, s.source) AND list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(about.lists, [list.name])
  RETURN count(DISTINCT s) AS found
}
RETURN sum(found) AS statements
