// Names of relations
// returns: type string: relationship type
// returns: name string: its name as it is read, or its label where a source has one
MATCH (k:Relation)
RETURN k.type AS type, k.name AS name
ORDER BY name, type
