// Load relations
// One Relation for each type: its own name and phrase; the first source that brings it is kept.
// takes: $rows list = []: rows of [type, name, template]
// takes: $source string: name of the source
UNWIND $rows AS row
MERGE (r:Relation {type: row[0]})
ON CREATE SET r.name = row[1], r.template = row[2], r.source = $source
