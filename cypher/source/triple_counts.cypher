// Triples of a source per relation
// RELATED_TO stands for the relation's type.
// takes: $source string: name of the source
// takes: $import_id string: id of the newest import
// takes: $since int = 1: number of the newest import within its source
// returns: triples int: relationships
// returns: current int: those that the newest import saw
// returns: added int: those that the newest import brought
MATCH ()-[r:RELATED_TO]->()
WHERE r.source = $source
RETURN count(r) AS triples, count(CASE WHEN r.import_id = $import_id THEN 1 END) AS current,
  count(CASE WHEN r.since = $since THEN 1 END) AS added
