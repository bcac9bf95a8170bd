// Mark a source as incomplete
// After a recovery of the store: the source has not all that its import wrote. Its next load completes it.
// takes: $name string: name of the source
// changes: records
MATCH (s:Source {name: $name})
SET s.state = 'loading'
