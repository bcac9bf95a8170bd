// Note a version of the graph's form
// takes: $version int: the version that the graph has now
MERGE (s:Schema {name: 'graph'})
SET s.version = $version
