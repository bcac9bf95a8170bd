// Note what an import removes
// takes: $source string: name of the source
// takes: $since int: number of the import
// takes: $import_id string: id of the import
// takes: $removed string: JSON of the statements of each target, by their labels
// takes: $listed list: JSON of single statements about targets
// takes: $broken_off bool = false: whether another import of the same number had begun to remove
// changes: records
MERGE (c:Change {source: $source})
SET c.since = $since, c.import_id = $import_id, c.removed = $removed, c.listed = $listed, c.broken_off = $broken_off
