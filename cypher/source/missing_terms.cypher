// Names of entities that are not normalised yet
// returns: key string: key of the entity
// returns: name string: its name
MATCH (e:Entity)
WHERE e.name IS NOT NULL AND e.term IS NULL
RETURN e.key AS key, e.name AS name
