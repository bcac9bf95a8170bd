// Names of relations
// returns: name string: the relation's own name
MATCH (k:Relation)
RETURN DISTINCT k.name AS name
ORDER BY name
