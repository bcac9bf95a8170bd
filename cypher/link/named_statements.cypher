// Statements that name a target
// Triples at a concept that names a target, each once, and sentences about one: what the statistics count.
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists, every target where null
// returns: statements int: how many
CALL () {
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE ($lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE list.name IN $lists AND list.name IN coalesce(link.lists, $lists) })
  WITH DISTINCT c
  MATCH (c)-[r]->()
  WHERE r.source = coalesce($source, r.source)
  RETURN count(r) AS found
  UNION ALL
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE ($lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE list.name IN $lists AND list.name IN coalesce(link.lists, $lists) })
  WITH DISTINCT c
  MATCH (c)<-[r]-(o)
  WHERE r.source = coalesce($source, r.source) AND NOT EXISTS { (o)-[link:NAMES]->(t) WHERE $lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE list.name IN $lists AND list.name IN coalesce(link.lists, $lists) } }
  RETURN count(r) AS found
  UNION ALL
  MATCH (t:Target)<-[:ABOUT]-(s:Statement)
  WHERE ($lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE list.name IN $lists }) AND s.source = coalesce($source, s.source)
  RETURN count(DISTINCT s) AS found
}
RETURN sum(found) AS statements
