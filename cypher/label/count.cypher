// Statements to look at when labelling
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $source string = null: name of the source, every source where null
// returns: statements int: triples at concepts that name a target (twice where both ends do) and sentences about one
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
  MATCH (c)-[r]-()
  WHERE r.source = coalesce($source, r.source)
  RETURN count(r) AS found
  UNION ALL
  MATCH (s:Statement)
  WHERE s.source = coalesce($source, s.source) AND EXISTS {
    MATCH (s)-[about:ABOUT]->(:Target)<-[held:HOLDS]-(list:TargetList)
    WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(about.lists, [list.name])
  }
  RETURN count(s) AS found
}
RETURN sum(found) AS statements
