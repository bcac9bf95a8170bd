// Link entities to the targets that they name
// An entity names a target where its whole name, normalised, is one of the target's names.
// returns: links int: NAMES relationships of entities that are there afterwards
// changes: targets
MATCH (t:Target)
UNWIND t.names AS name
MATCH (e:Entity {term: name})
MERGE (e)-[n:NAMES]->(t)
RETURN count(n) AS links
