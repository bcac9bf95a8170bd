// Scores of samples, prompt by prompt
// The samples of counterfactual prompts: one row for each value of an attribute in each template. Attributes and values that
// differ in capitals alone are one, and are written as the first of their spellings. A sample of two attributes is one of each,
// in the template that has the other value in it.
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
CALL () {
  MATCH (s:Statement {source: $source})
  WHERE s.template IS NOT NULL
  RETURN s, s.attribute AS attribute, s.value AS value, s.subgroup AS subgroup, s.template AS template, s.term AS term
  UNION ALL
  MATCH (s:Statement {source: $source})
  WHERE s.other_template IS NOT NULL
  RETURN s, s.other_attribute AS attribute, s.other_value AS value, s.other_subgroup AS subgroup, s.other_template AS template,
    toLower(normalize(replace(trim(s.other_value), '_', ' '))) AS term
}
WITH *, toLower(normalize(replace(trim(attribute), '_', ' '))) AS folded
WHERE folded = coalesce(toLower(normalize(replace(trim($attribute), '_', ' '))), folded)
WITH folded, term, template, min(attribute) AS attribute, min(value) AS value,
  min(subgroup) AS subgroup, count(*) AS samples, collect(s[$score]) AS scores, collect(DISTINCT s[$by]) AS by
WITH folded, term, min(attribute) AS attribute, min(value) AS value, min(subgroup) AS subgroup,
  collect({template: template, samples: samples, scores: scores, by: by}) AS prompts
WITH folded, min(attribute) AS attribute, collect({term: term, value: value, subgroup: subgroup, prompts: prompts}) AS values
UNWIND values AS one
UNWIND one.prompts AS prompt
RETURN attribute, prompt.template AS template, one.value AS value, one.subgroup AS subgroup, prompt.samples AS samples,
  prompt.scores AS scores, prompt.by AS by
ORDER BY attribute, template, one.term
