// Scores of samples, prompt by prompt
// The samples of counterfactual prompts: one row for each value of an attribute in each template.
// takes: $source string: name of the source
// takes: $attribute string = null: one attribute, all where null
// takes: $score string = 'sentiment_score': property of the score
// takes: $by string = 'sentiment_by': property that says who labelled
// returns: attribute string: what the prompts differ in
// returns: template string: the prompt with a place for the value
// returns: value string: the value in this prompt
// returns: subgroup string|null: the group of values that it belongs to
// returns: samples int: samples of the prompt
// returns: scores list<float>: the scores of those that have one, -1 to 1
// returns: by list<string>: the scorers that gave them
MATCH (s:Statement {source: $source})
WHERE s.template IS NOT NULL AND s.attribute = coalesce($attribute, s.attribute)
WITH s.attribute AS attribute, s.template AS template, s.term AS term, min(s.value) AS value, min(s.subgroup) AS subgroup,
  count(*) AS samples, collect(s[$score]) AS scores, collect(DISTINCT s[$by]) AS by
RETURN attribute, template, value, subgroup, samples, scores, by
ORDER BY attribute, template, term
