// Link sentences to the targets that stand in their text
// A link to any other target goes: since it was made, a list brought a longer name, or the name is gone.
// takes: $rows list = []: rows of [element id of the Statement, [name of a target in it, where it stands] ...]
// takes: $digest string = '': digest of the names of targets that were looked for
// changes: targets
UNWIND $rows AS row
MATCH (s:Statement) WHERE elementId(s) = row[0]
SET s.searched = $digest
WITH s, row
CALL (s, row) {
  MATCH (s)-[stale:ABOUT]->(t:Target)
  WHERE NOT t.name IN [pair IN row[1] | pair[0]]
  DELETE stale
}
UNWIND row[1] AS pair
MATCH (t:Target {name: pair[0]})
MERGE (s)-[a:ABOUT]->(t)
SET a.spans = pair[1]
