// Statements that name a target
// Triples at a concept that names a target, each once, and sentences about one: what the statistics count.
// takes: $source string = null: name of the source, every source where null
// returns: statements int: how many
CALL () {
  MATCH (:Target)<-[:NAMES]-(c:Concept)
  WITH DISTINCT c
  MATCH (c)-[r]->()
  WHERE r.source = coalesce($source, r.source)
  RETURN count(r) AS found
  UNION ALL
  MATCH (:Target)<-[:NAMES]-(c:Concept)
  WITH DISTINCT c
  MATCH (c)<-[r]-(o)
  WHERE r.source = coalesce($source, r.source) AND NOT EXISTS { (o)-[:NAMES]->() }
  RETURN count(r) AS found
  UNION ALL
  MATCH (:Target)<-[:ABOUT]-(s:Statement)
  WHERE s.source = coalesce($source, s.source)
  RETURN count(DISTINCT s) AS found
}
RETURN sum(found) AS statements
