// Target lists
// What statistics and labels can be about (harmgraph target lists).
// returns: list string: name of the list
// returns: of string|null: the source that brings it, null for a list that was loaded
// returns: targets int: how many it holds
// returns: digest string|null: of what it holds: equal lists have equal digests
// keys: list
// for: readers
MATCH (list:TargetList)
RETURN list.name AS list, list.of AS of, count { (list)-[:HOLDS]->() } AS targets, list.digest AS digest
ORDER BY of IS NOT NULL, list
