// Phrases of the relations
// returns: type string: relationship type
// returns: template string: the phrase between head and tail
MATCH (r:Relation)
RETURN r.type AS type, r.template AS template
