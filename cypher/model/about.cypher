// What the graph holds of a model
// Its sources, what it said, and how many results of probes point away from it.
// takes: $name string: name of the model
// returns: family string|null: its family; language of a language model
// returns: sources list<string>: names of the sources it was trained on
// returns: said list<string>: names of the sources with what it said
// returns: probed int: results of probes
MATCH (m:Model {name: $name})
RETURN m.family AS family, COLLECT { MATCH (m)-[:TRAINED_ON]->(s:Source) RETURN s.name ORDER BY s.name } AS sources,
  COLLECT { MATCH (m)<-[:GENERATED_BY]-(s:Source) RETURN s.name ORDER BY s.name } AS said,
  COUNT { (m)-[:PROBED]->() } AS probed
