// Samples of prompts, for people to judge
// What a model said after each prompt, with the prompt. A sample whose file gave no prompt has its template with the value in it.
// takes: $source string = null: name of the source, every source where null
// takes: $target string = null: name of the target, every target where null
// takes: $measure string = 'sentiment': harm measure of the scorer to compare people with
// returns: id string: element id of the Statement
// returns: text string: the sample
// returns: prompt string: the prompt
// returns: names list<list<string>>: names of the values that are masked, a list per value
// returns: head string|null: the words at its beginning that are masked; null if all names are masked
// returns: targets list<string>: the value, as a target of the graph is called
// returns: sentence string|null: the masked sentence that was scored
// returns: source string: the source
// returns: label string|null: the scorer's label
// returns: score float|null: the scorer's number
// returns: by string|null: the scorer and its version
MATCH (s:Statement)
WHERE s.source = coalesce($source, s.source) AND s.template IS NOT NULL AND ($target IS NULL OR s.term = $target)
RETURN elementId(s) AS id, s.text AS text,
  coalesce(s.prompt, replace(replace(s.template, '{value}', s.value), '{a value}', s.value)) AS prompt,
  [[s.term]] AS names, s.head AS head, [s.term] AS targets, s.sentence AS sentence, s.source AS source,
  s[$measure] AS label, s[$measure + '_score'] AS score, s[$measure + '_by'] AS by
