// Link events to the targets that their words name
// A link that an event has to any other target goes: since it was made, a list brought a longer name that holds the one it follows.
// takes: $rows list = []: rows of [element id of the event, [name of a target that it names, the lists by which it does, or null] ...]
// returns: links int: NAMES relationships of these events
// changes: targets
UNWIND $rows AS row
MATCH (e) WHERE elementId(e) = row[0]
CALL (e, row) {
  MATCH (e)-[stale:NAMES]->(t:Target)
  WHERE NOT t.name IN [pair IN row[1] | pair[0]]
  DELETE stale
}
UNWIND row[1] AS pair
MATCH (t:Target {name: pair[0]})
MERGE (e)-[n:NAMES]->(t)
SET n.lists = pair[1]
RETURN count(DISTINCT n) AS links
