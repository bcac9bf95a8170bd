// Version of the graph's form
// The recorded version, and the number of sources: a graph with sources and no version is of the first harmgraph.
// returns: version int|null: null where none is noted
// returns: sources int: Sources that stand
CALL () {
  MATCH (s:Schema {name: 'graph'})
  RETURN max(s.version) AS version
}
CALL () {
  MATCH (s:Source)
  RETURN count(s) AS sources
}
RETURN version, sources
