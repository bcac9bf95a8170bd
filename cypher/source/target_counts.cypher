// Targets of a list
// takes: $source string: name of the list
// takes: $import_id string: id of the newest load
// returns: targets int: targets
// returns: added int: those that the newest load brought
MATCH (t:Target {source: $source})
RETURN count(t) AS targets, count(CASE WHEN t.since = $import_id THEN 1 END) AS added
