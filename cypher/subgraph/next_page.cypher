// Where a page of heads ends
// Reads the index of keys alone.
// takes: $first string = '': key of the first node of the page
// takes: $size int = 20000: nodes of one label in a page, at the most
// returns: key string|null: key of the first node behind the page; null where there is none
CALL () {
  MATCH (n:Concept) WHERE n.key >= $first
  RETURN n.key AS key ORDER BY key SKIP $size LIMIT 1
  UNION ALL
  MATCH (n:Entity) WHERE n.key >= $first
  RETURN n.key AS key ORDER BY key SKIP $size LIMIT 1
}
RETURN min(key) AS key
