// Remove what an earlier import left: sentences
// takes: $source string: name of the source
// takes: $import_id string: id of the import that stays; '' removes all
MATCH (s:Statement {source: $source})
WHERE s.import_id <> $import_id
CALL (s) {
  DETACH DELETE s
} IN TRANSACTIONS OF 5000 ROWS
