// Load triples of one relation
// One relationship for each head, type, tail, source and assertion; RELATED_TO stands for the relation's type.
// Both ends are found by element id, which is a third faster than by key.
// takes: $rows list = []: rows of [element id of the head, element id of the tail, assertion, properties or null]
// takes: $source string: name of the source
// takes: $import_id string: id of the import
// takes: $since int = 1: number of the import within its source, kept by what it brings first
// takes: $without map = {}: the properties of a triple that has none, null each
UNWIND $rows AS row
MATCH (h) WHERE elementId(h) = row[0]
MATCH (t) WHERE elementId(t) = row[1]
MERGE (h)-[r:RELATED_TO {source: $source, assertion: row[2]}]->(t)
ON CREATE SET r.since = $since
SET r.import_id = $import_id, r += coalesce(row[3], $without)
