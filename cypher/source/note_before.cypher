// Note what stood before an import
// Whatever was noted of an earlier change goes.
// takes: $source string: name of the source
// takes: $since int: number of the import that begins
// takes: $before string = null: JSON of the statements of each target, by their labels
// changes: records
MERGE (c:Change {source: $source})
SET c = {source: $source, since: $since, before: $before}
