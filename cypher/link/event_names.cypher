// Link events to the targets that their words name
// A link that an event has to any other target goes: since it was made, a list brought a longer name that holds the one it follows.
// takes: $rows list = []: rows of [element id of the event, names of all targets that it names]
// returns: links int: NAMES relationships of these events
UNWIND $rows AS row
MATCH (e) WHERE elementId(e) = row[0]
CALL (e, row) {
  MATCH (e)-[stale:NAMES]->(t:Target)
  WHERE NOT t.name IN row[1]
  DELETE stale
}
UNWIND row[1] AS name
MATCH (t:Target {name: name})
MERGE (e)-[n:NAMES]->(t)
RETURN count(DISTINCT n) AS links
