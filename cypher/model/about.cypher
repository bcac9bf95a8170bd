// What the graph holds of a model
// Its sources, and how many results of probes point away from it.
// takes: $name string: name of the model
// returns: sources list<string>: names of the sources it was trained on
// returns: probed int: results of probes
MATCH (m:Model {name: $name})
OPTIONAL MATCH (m)-[:TRAINED_ON]->(s:Source)
WITH m, collect(s.name) AS sources
RETURN sources, COUNT { (m)-[:PROBED]->() } AS probed
