// Targets of a list
// takes: $source string: name of the list
// takes: $since int = 1: number of the newest import within its source
// returns: targets int: targets
// returns: added int: those that the newest load brought
MATCH (t:Target {source: $source})
RETURN count(t) AS targets, count(CASE WHEN t.since = $since THEN 1 END) AS added
