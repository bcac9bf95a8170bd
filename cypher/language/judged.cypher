// Keep how well a model predicts a source
// takes: $model string: name of the model
// takes: $source string: name of the source
// takes: $part string: which of its texts: held-out or all
// takes: $facts map: perplexity, word_perplexity, their intervals and the number of texts
// changes: records
MATCH (m:Model {name: $model})
MATCH (s:Source {name: $source})
MERGE (m)-[r:JUDGED_ON {part: $part}]->(s)
SET r += $facts
