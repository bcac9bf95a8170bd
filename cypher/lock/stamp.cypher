// Mark a transaction
// A transaction that sets properties to the values that they have takes no number of the database. One with a mark of its own takes one.
// takes: $mark string = '': the mark
// changes: records
// properties: stamp
MATCH (s:Schema {name: 'graph'})
SET s.stamp = $mark
