// Relations and their names
// returns: type string: relationship type
// returns: name string: its name, or its label where a source has one
// returns: own string|null: its own name where it is labelled
MATCH (r:Relation)
RETURN r.type AS type, r.name AS name, r.own[0] AS own
ORDER BY type
