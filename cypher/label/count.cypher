// Statements to look at when labelling
// takes: $source string = null: name of the source, every source where null
// returns: statements int: triples at concepts that name a target (twice where both ends do) and sentences about one
CALL () {
  MATCH (:Target)<-[:NAMES]-(c:Concept)
  WITH DISTINCT c
  MATCH (c)-[r]-()
  WHERE r.source = coalesce($source, r.source)
  RETURN count(r) AS found
  UNION ALL
  MATCH (s:Statement)
  WHERE s.source = coalesce($source, s.source) AND EXISTS { (s)-[:ABOUT]->() }
  RETURN count(s) AS found
}
RETURN sum(found) AS statements
