// Remove what an earlier import left: triples of one relation
// RELATED_TO stands for the relation's type.
// takes: $source string: name of the source
// takes: $import_id string: id of the import that stays; '' removes all
MATCH ()-[r:RELATED_TO]->()
WHERE r.source = $source AND r.import_id <> $import_id
CALL (r) {
  DELETE r
} IN TRANSACTIONS OF 10000 ROWS
