// Forget a model
// Removes the Model with what it was trained on and what probes found in it.
// takes: $name string: name of the model
// changes: records
MATCH (m:Model {name: $name})
DETACH DELETE m
