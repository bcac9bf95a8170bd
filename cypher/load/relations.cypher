// Load relations
// One Relation for each type: its own name and phrase; the first source that brings it is kept.
// takes: $rows list = []: rows of [type, name, template]
// takes: $source string: name of the source
// returns: type string: relationship type
// returns: name string: the relation's own name, as the source that brought it first writes it
UNWIND $rows AS row
MERGE (r:Relation {type: row[0]})
ON CREATE SET r.name = row[1], r.template = row[2], r.source = $source
RETURN r.type AS type, coalesce(r.own[0], r.name) AS name
