// Unlink entities from targets that no list calls so any more
MATCH (e:Entity)-[named:NAMES]->(t:Target)
WHERE NOT EXISTS { (:TargetList)-[held:HOLDS]->(t) WHERE coalesce(e.term, '') IN held.names }
DELETE named
