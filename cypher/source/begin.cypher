// Begin an import
// Marks the source as loading. If there is a complete import of other content, its facts move to `previous`.
// takes: $name string: name of the source
// takes: $import_id string: id of the import
// takes: $generation int = 1: number of the import within its source
// takes: $facts map: version, licence, url, sha256, files, importer, options
// changes: records
MERGE (s:Source {name: $name})
FOREACH (replaced IN CASE WHEN s.state = 'complete' AND s.import_id <> $import_id THEN [1] ELSE [] END |
  SET s.previous = s.summary, s.previous_import_id = s.import_id
)
SET s.state = CASE WHEN s.import_id = $import_id AND s.state = 'complete' THEN 'complete' ELSE 'loading' END,
  s.import_id = $import_id, s.generation = $generation, s.batch = null, s += $facts
