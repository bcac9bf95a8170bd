// Write the results of a probe
// One PROBED for each object, and for each relation that carries its score; what the same probe gave before is forgotten first, in the same transaction.
// takes: $model string: name of the model
// takes: $facts map: probe, attribute, a, b, object_relation and people_of, and how it was computed
// takes: $rows list = []: rows of [key of the entity, properties]
// changes: records
MATCH (m:Model {name: $model})
UNWIND $rows AS row
MATCH (e:Entity {key: row[0]})
CREATE (m)-[p:PROBED]->(e)
SET p = $facts, p += row[1]
