// What models said that learnt from a source
// What a model learnt is known of its weights now alone, so what others said is told apart, and so is a perplexity of others.
// takes: $trained_on string: name of the source that the models were trained on
// takes: $judged_on string = null: source on which their perplexity is wanted, none where null
// returns: source string: name of the source with what a model said
// returns: model string: name of the model
// returns: weights string|null: digest of the weights that said it
// returns: of_now bool: whether they are those that the model has now; so it is taken to be where no digest was kept
// returns: family string|null: family of the model
// returns: learnt list<string>: names of all sources that the model was trained on
// returns: imports string|null: the imports of these sources that it was trained on
// returns: options string|null: how it was decoded, as JSON
// returns: word_perplexity float|null: the perplexity a word of the model's weights now on the held-out part of the other source, if it was saved
// returns: of_other_weights bool: whether a perplexity was saved, and of other weights than the model has now
MATCH (s:Source)-[said:GENERATED_BY]->(m:Model)-[:TRAINED_ON]->(:Source {name: $trained_on})
OPTIONAL MATCH (m)-[judged:JUDGED_ON {part: 'held-out'}]->(:Source {name: $judged_on})
WITH s, m, said, judged, coalesce(judged.sha256 = m.sha256, false) AS same
RETURN s.name AS source, m.name AS model, said.sha256 AS weights,
  coalesce(said.sha256 = m.sha256, said.sha256 IS NULL) AS of_now, m.family AS family,
  COLLECT { MATCH (m)-[:TRAINED_ON]->(of:Source) RETURN of.name ORDER BY of.name } AS learnt, m.import_id AS imports,
  s.options AS options, CASE WHEN same THEN judged.word_perplexity END AS word_perplexity,
  judged.word_perplexity IS NOT NULL AND NOT same AS of_other_weights
ORDER BY source, model
