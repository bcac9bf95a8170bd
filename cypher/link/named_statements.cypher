// Statements that name a target
// Triples at a concept that names a target, each once, and sentences about one: what the statistics count.
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// returns: statements int: how many
CALL () {
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  MATCH (c)-[r]->()
  WHERE r.source = coalesce($source, r.source)
  RETURN count(r) AS found
  UNION ALL
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  MATCH (c)<-[r]-(o)
  WHERE r.source = coalesce($source, r.source) AND NOT EXISTS { (o)-[link:NAMES]->(t) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } }
  RETURN count(r) AS found
  UNION ALL
  MATCH (t:Target)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND s.source = coalesce($source, s.source)
  RETURN count(DISTINCT s) AS found
}
RETURN sum(found) AS statements
