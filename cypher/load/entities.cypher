// Load entities
// Creates the entities that are missing; their names come apart, see load/entity_names.
// takes: $rows list = []: rows of [key]
// returns: ids list: pairs of key and element id, valid for one load
UNWIND $rows AS row
MERGE (e:Entity {key: row[0]})
RETURN collect([row[0], elementId(e)]) AS ids
