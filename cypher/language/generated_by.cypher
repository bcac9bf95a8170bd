// Note which model said a source
// Of a source that another model had said before, only the newer model said what is in it now.
// takes: $source string: name of the source
// takes: $model string: name of the model
// takes: $checkpoint string: digest of its weights
// changes: records
MATCH (s:Source {name: $source})
MATCH (m:Model {name: $model})
CALL (s, m) {
  MATCH (s)-[old:GENERATED_BY]->(before:Model)
  WHERE before <> m
  DELETE old
}
MERGE (s)-[r:GENERATED_BY]->(m)
SET r.sha256 = $checkpoint
