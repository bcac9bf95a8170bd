// What models said that learnt from a source
// takes: $trained_on string: name of the source that the models were trained on
// takes: $judged_on string = null: source on which their perplexity is wanted, none where null
// returns: source string: name of the source with what a model said
// returns: model string: name of the model
// returns: options string|null: how it was decoded, as JSON
// returns: word_perplexity float|null: the perplexity a word of the model on the held-out part of the other source, if it was saved
MATCH (s:Source)-[:GENERATED_BY]->(m:Model)-[:TRAINED_ON]->(:Source {name: $trained_on})
OPTIONAL MATCH (m)-[judged:JUDGED_ON {part: 'held-out'}]->(:Source {name: $judged_on})
RETURN s.name AS source, m.name AS model, s.options AS options, judged.word_perplexity AS word_perplexity
ORDER BY source
