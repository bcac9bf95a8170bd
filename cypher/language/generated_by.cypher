// Note which model said a source
// takes: $source string: name of the source
// takes: $model string: name of the model
// takes: $checkpoint string: digest of its weights
MATCH (s:Source {name: $source})
MATCH (m:Model {name: $model})
MERGE (s)-[r:GENERATED_BY]->(m)
SET r.sha256 = $checkpoint
