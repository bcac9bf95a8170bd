// Write normalised names of entities
// takes: $rows list = []: rows of [key, the name normalised]
UNWIND $rows AS row
MATCH (e:Entity {key: row[0]})
SET e.term = row[1]
