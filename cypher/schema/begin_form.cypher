// Note the version of a new graph
// A graph that has a version keeps it. One that has sources and no version is of the first harmgraph.
// takes: $version int: the version that a new graph has
CALL () {
  MATCH (s:Source)
  RETURN count(s) AS sources
}
MERGE (f:Schema {name: 'graph'})
ON CREATE SET f.version = CASE sources WHEN 0 THEN $version ELSE 0 END
