// Link sentences to the targets that they are about
// A sentence is about a target where its annotated term is one of the target's names in a list, in the language of the list.
// returns: links int: ABOUT relationships that are there afterwards
MATCH (list:TargetList)-[held:HOLDS]->(t:Target)
UNWIND held.names AS name
WITH t, name, list.name AS list
ORDER BY list
WITH t, name, collect(list) AS lists
WITH t, name, CASE size(lists) WHEN COUNT { (:TargetList)-[:HOLDS]->(t) } THEN null ELSE lists END AS lists
MATCH (s:Statement {term: name})
WHERE coalesce(s.language, 'en') = t.language
CALL (s, t, lists) {
  MERGE (s)-[about:ABOUT]->(t)
  SET about.lists = lists
} IN TRANSACTIONS OF 10000 ROWS
RETURN count(*) AS links
