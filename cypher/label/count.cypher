// Statements to look at when labelling
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// returns: statements int: triples at concepts that name a target (twice where both ends do) and sentences about one
CALL () {
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  MATCH (c)-[r]-()
  WHERE r.source = coalesce($source, r.source)
  RETURN count(r) AS found
  UNION ALL
  MATCH (s:Statement)
  WHERE s.source = coalesce($source, s.source) AND EXISTS { (s)-[:ABOUT]->(t) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } }
  RETURN count(s) AS found
}
RETURN sum(found) AS statements
