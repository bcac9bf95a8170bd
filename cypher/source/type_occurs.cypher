// Does a relationship type occur
// RELATED_TO stands for the type.
// returns: occurs bool: whether at least one triple of it stands
RETURN EXISTS { MATCH ()-[:RELATED_TO]->() } AS occurs
