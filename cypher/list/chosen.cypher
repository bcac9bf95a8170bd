// Lists of targets
// Those that are named; or, where none is, what a number is about by itself: all lists, and the groups of its sources.
// takes: $lists list<string> = null: names of the lists
// takes: $sources list<string> = null: sources of the number; the groups of every source where null
// returns: list string: name
// returns: kind string: list, or groups of a source
// returns: digest string: SHA-256 of what it holds
// returns: targets int: how many it holds
MATCH (list:TargetList)
WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name IN coalesce($sources, [list.name]))
WITH list
ORDER BY list.place
RETURN list.name AS list, list.kind AS kind, list.digest AS digest, COUNT { (list)-[:HOLDS]->() } AS targets
