// Link events to the targets that their words name
// takes: $rows list = []: rows of [element id of the event, name of the target]
// returns: links int: NAMES relationships of these events
UNWIND $rows AS row
MATCH (e) WHERE elementId(e) = row[0]
MATCH (t:Target {name: row[1]})
MERGE (e)-[n:NAMES]->(t)
RETURN count(DISTINCT n) AS links
