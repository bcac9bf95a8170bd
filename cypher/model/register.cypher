// Register a model
// One Model for each name, with what it was trained on. A source that was dropped since is left out, and so is what probes
// found in other tables of the same name.
// takes: $name string: name of the model
// takes: $facts map: family, path, sha256 and what else is known of it
// takes: $sources list<string> = []: names of the sources it was trained on
// changes: records
MERGE (m:Model {name: $name})
SET m += $facts
WITH m
CALL (m) {
  MATCH (m)-[old:PROBED]->()
  WHERE old.sha256 <> m.sha256
  DELETE old
}
CALL (m) {
  MATCH (m)-[old:TRAINED_ON]->(s:Source)
  WHERE NOT s.name IN $sources
  DELETE old
}
CALL (m) {
  MATCH (s:Source)
  WHERE s.name IN $sources
  MERGE (m)-[:TRAINED_ON]->(s)
}
