// Relationship types that occur
// returns: type string: relationship type
CALL db.relationshipTypes() YIELD relationshipType AS type
RETURN type ORDER BY type
