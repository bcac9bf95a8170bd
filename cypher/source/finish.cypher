// Finish an import
// takes: $name string: name of the source
// takes: $import_id string: id of the import
// takes: $counts string: JSON of the counts
// takes: $summary string: JSON of what the next import will keep as `previous`
// returns: imported_at string: when the import was first complete
// changes: records
MATCH (s:Source {name: $name, import_id: $import_id})
SET s.imported_at = CASE s.state WHEN 'complete' THEN coalesce(s.imported_at, datetime()) ELSE datetime() END
SET s.state = 'complete', s.counts = $counts, s.summary = $summary, s.batch = null
RETURN toString(s.imported_at) AS imported_at
