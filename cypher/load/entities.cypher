// Load entities
// Creates the entities that are missing and brings their names up to date.
// takes: $rows list = []: rows of [key, name]
// returns: ids list: pairs of key and element id, valid for one load
UNWIND $rows AS row
MERGE (e:Entity {key: row[0]})
SET e.name = row[1]
RETURN collect([row[0], elementId(e)]) AS ids
