// Targets of a list, or of a source
// takes: $source string: its name
// takes: $since int = 1: number of the newest import within its source
// returns: targets int: targets
// returns: added int: those that the newest load brought
MATCH (:TargetList {name: $source})-[held:HOLDS]->()
RETURN count(held) AS targets, count(CASE WHEN held.since = $since THEN 1 END) AS added
