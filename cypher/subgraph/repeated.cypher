// Whether an edge stands several times
// As triples with several assertions do, and those of several sources. Only edges that are not of valid or test count. A node that more
// than a million edges leave is not looked at.
// takes: $source string = null: name of the source, every source where null
// returns: repeated bool: whether there is such an edge, or a node that was not looked at
MATCH (h:Concept|Entity)
WITH h, COUNT { (h)-->() } AS degree
WHERE degree > 1
CALL (h, degree) {
  MATCH (h)-[r]->(t)
  WHERE degree <= 1000000 AND r.source = coalesce($source, r.source) AND NOT coalesce(r.split, '') IN ['valid', 'test']
  RETURN count(r) > count(DISTINCT [type(r), id(t)]) AS again
}
WITH h, degree, again
WHERE again OR degree > 1000000
WITH h LIMIT 1
RETURN count(h) > 0 AS repeated
