// Targets of a list
// takes: $source string: name of the list
// returns: targets int: targets
MATCH (t:Target {source: $source})
RETURN count(t) AS targets
