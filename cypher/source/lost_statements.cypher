// What a newer import of a source would remove: sentences
// Of those that earlier complete imports brought.
// takes: $source string: name of the source
// takes: $import_id string: id of the newest import
// takes: $since int = 1: number of the newest import within its source
// returns: stood int: sentences that earlier imports brought
// returns: lost int: those that the newest import does not have
MATCH (n:Statement {source: $source})
WHERE n.since < $since
RETURN count(n) AS stood, count(CASE WHEN n.import_id <> $import_id THEN 1 END) AS lost
