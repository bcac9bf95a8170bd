// Load posts with their social bias frames
// One Statement for each key, as in load/statements, which is also a Post.
// takes: $rows list = []: rows of [key, text, term, properties]
// takes: $source string: name of the source
// takes: $import_id string: id of the import
// takes: $since int = 1: number of the import within its source, kept by what it brings first
UNWIND $rows AS row
MERGE (s:Statement {key: row[0]})
ON CREATE SET s.since = $since, s.source = $source, s.text = row[1], s.term = row[2]
SET s:Post, s.import_id = $import_id, s += row[3]
