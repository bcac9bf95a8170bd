// Unlink entities from targets that no longer list them
// changes: targets
MATCH (e:Entity)-[n:NAMES]->(t:Target)
WHERE NOT coalesce(e.term, '') IN t.names
DELETE n
