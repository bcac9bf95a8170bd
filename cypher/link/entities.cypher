// Link entities to the targets that they name
// An entity names a target where its whole name, normalised, is one of the target's names in a list.
// returns: links int: NAMES relationships of entities that are there afterwards
MATCH (list:TargetList)-[held:HOLDS]->(t:Target)
UNWIND held.names AS name
WITH t, name, list.name AS list
ORDER BY list
WITH t, name, collect(list) AS lists
MATCH (e:Entity {term: name})
MERGE (e)-[named:NAMES]->(t)
SET named.lists = CASE size(lists) WHEN COUNT { (:TargetList)-[:HOLDS]->(t) } THEN null ELSE lists END
RETURN count(named) AS links
