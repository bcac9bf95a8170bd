// Forget what was noted of a change
// takes: $source string: name of the source
// changes: records
MATCH (c:Change {source: $source})
DELETE c
