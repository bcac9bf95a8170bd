// Link concepts to the targets that they name
// A concept names a target where its whole text is one of the target's names in a list, in the language of the list.
// returns: links int: NAMES relationships that are there afterwards
MATCH (list:TargetList)-[held:HOLDS]->(t:Target)
UNWIND held.names AS name
WITH t, name, list.name AS list
ORDER BY list
WITH t, name, collect(list) AS lists
MATCH (c:Concept {key: t.language + '/' + name})
MERGE (c)-[named:NAMES]->(t)
SET named.lists = CASE size(lists) WHEN COUNT { (:TargetList)-[:HOLDS]->(t) } THEN null ELSE lists END
RETURN count(named) AS links
