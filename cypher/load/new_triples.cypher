// Load triples of one relation that are surely new
// Creates without a look at what is there: see load/triples for those that may be. RELATED_TO stands for the relation's type.
// takes: $rows list = []: rows of [element id of the head, element id of the tail, assertion, properties or null]
// takes: $source string: name of the source
// takes: $import_id string: id of the import
// takes: $since int = 1: number of the import within its source
UNWIND $rows AS row
MATCH (h) WHERE elementId(h) = row[0]
MATCH (t) WHERE elementId(t) = row[1]
CREATE (h)-[r:RELATED_TO {source: $source, assertion: row[2], since: $since, import_id: $import_id}]->(t)
SET r += coalesce(row[3], {})
