// Forget a source
// Its triples, sentences and targets are removed by the sweeps; this removes the Source itself.
// takes: $name string: name of the source
MATCH (s:Source {name: $name})
DETACH DELETE s
