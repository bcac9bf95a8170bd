// Load what posts imply
// One relationship for each post, annotator, group and implied statement. Where the group had another target, it leaves that.
// takes: $rows list = []: rows of [key of the post, name of the target, assertion, properties]
// takes: $source string: name of the source
// takes: $import_id string: id of the import
// takes: $since int = 1: number of the import within its source, kept by what it brings first
UNWIND $rows AS row
MATCH (p:Statement {key: row[0]})
MATCH (t:Target {name: row[1]})
OPTIONAL MATCH (p)-[before:IMPLIES {source: $source, assertion: row[2]}]->(other)
WHERE other <> t
DELETE before
WITH DISTINCT row, p, t
MERGE (p)-[r:IMPLIES {source: $source, assertion: row[2]}]->(t)
ON CREATE SET r.since = $since
SET r.import_id = $import_id, r += row[3]
