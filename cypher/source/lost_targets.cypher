// What a newer import of a source would remove: targets
// Of those that earlier complete imports brought.
// takes: $source string: name of the source
// takes: $import_id string: id of the newest import
// takes: $since int = 1: number of the newest import within its source
// returns: stood int: targets that earlier imports brought
// returns: lost int: those that the newest import does not have
MATCH (:TargetList {name: $source})-[held:HOLDS]->()
WHERE held.since < $since
RETURN count(held) AS stood, count(CASE WHEN held.import_id <> $import_id THEN 1 END) AS lost
