// Scores of samples, prompt by prompt
// The samples of counterfactual prompts: one row for each value of an attribute in each template. Attributes and values that
// differ in capitals alone are one, and are written as the first of their spellings.
// takes: $source string: name of the source
// takes: $attribute string = null: one attribute, all where null
// takes: $score string = 'sentiment_score': property of the score
// takes: $by string = 'sentiment_by': property that says who labelled
// returns: attribute string: what the prompts differ in
// returns: template string: the prompt with a place for the value
// returns: value string: the value
// returns: subgroup string|null: the group of values that it belongs to
// returns: samples int: samples of the prompt
// returns: scores list<float>: the scores of those that have one, -1 to 1
// returns: by list<string>: the scorers that gave them
MATCH (s:Statement {source: $source})
WHERE s.template IS NOT NULL
WITH s, toLower(normalize(replace(trim(s.attribute), '_', ' '))) AS folded
WHERE folded = coalesce(toLower(normalize(replace(trim($attribute), '_', ' '))), folded)
WITH folded, s.term AS term, s.template AS template, min(s.attribute) AS attribute, min(s.value) AS value,
  min(s.subgroup) AS subgroup, count(*) AS samples, collect(s[$score]) AS scores, collect(DISTINCT s[$by]) AS by
WITH folded, term, min(attribute) AS attribute, min(value) AS value, min(subgroup) AS subgroup,
  collect({template: template, samples: samples, scores: scores, by: by}) AS prompts
WITH folded, min(attribute) AS attribute, collect({term: term, value: value, subgroup: subgroup, prompts: prompts}) AS values
UNWIND values AS one
UNWIND one.prompts AS prompt
RETURN attribute, prompt.template AS template, one.value AS value, one.subgroup AS subgroup, prompt.samples AS samples,
  prompt.scores AS scores, prompt.by AS by
ORDER BY attribute, template, one.term
