// Link events to the targets that their words name
// A link that an event has to any other target goes: since it was made, a list brought a longer name that holds the one it follows.
// takes: $rows list = []: rows of [element id of the event, rows of the targets that it names: name, and lists, null for all]
// returns: links int: NAMES relationships of these events
UNWIND $rows AS row
MATCH (e) WHERE elementId(e) = row[0]
CALL (e, row) {
  MATCH (e)-[stale:NAMES]->(t:Target)
  WHERE NOT t.name IN [named IN row[1] | named[0]]
  DELETE stale
}
UNWIND row[1] AS one
MATCH (t:Target {name: one[0]})
MERGE (e)-[named:NAMES]->(t)
SET named.lists = one[1]
RETURN count(DISTINCT named) AS links
