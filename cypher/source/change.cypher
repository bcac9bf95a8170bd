// What was noted of a change
// takes: $source string: name of the source
// returns: change map: properties of its Change
MATCH (c:Change {source: $source})
RETURN properties(c) AS change
