// Statements to look at when labelling
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists, every target where null
// returns: statements int: triples at concepts that name a target (twice where both ends do) and sentences about one
CALL () {
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE ($lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE list.name IN $lists AND list.name IN coalesce(link.lists, $lists) })
  WITH DISTINCT c
  MATCH (c)-[r]-()
  WHERE r.source = coalesce($source, r.source)
  RETURN count(r) AS found
  UNION ALL
  MATCH (s:Statement)
  WHERE s.source = coalesce($source, s.source) AND EXISTS { (s)-[:ABOUT]->(t) WHERE $lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE list.name IN $lists } }
  RETURN count(s) AS found
}
RETURN sum(found) AS statements
