// Sentences and whom they are about
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $by string = 'sentiment_by': property that says who labelled
// takes: $label string = 'sentiment': property of the label
// takes: $all bool = false: also those about no target
// returns: id string: element id of the Statement
// returns: text string: the sentence
// returns: names list<list<string>>: names of the targets that it is about, a list per target
// returns: head string|null: the words at its beginning that are masked; null if all names are masked
// returns: spans list<int>: where these targets stand, where they were found in the text: start, end, start, end; else empty
// returns: tail string|null: the tail of the triple that a model said, null where none is known
// returns: sentence string|null: the sentence that was scored last
// returns: by string|null: who labelled it last
// returns: label string|null: its label
// returns: others list<string>: the like properties of other measures, which a new sentence makes stale
MATCH (s:Statement)
WHERE s.source = coalesce($source, s.source) AND ($all OR EXISTS { (s)-[:ABOUT]->(t) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } })
RETURN elementId(s) AS id, s.text AS text, [(s)-[:ABOUT]->(t) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } | t.names] AS names,
  s.head AS head, reduce(every = [], some IN [(s)-[a:ABOUT]->(t:Target) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } | coalesce(a.spans, [])] | every + some) AS spans, s.tail AS tail, s.sentence AS sentence, s[$by] AS by, s[$label] AS label,
  CASE WHEN s.sentence IS NULL THEN [] ELSE [name IN keys(s) WHERE name ENDS WITH '_by' AND name <> $by] END AS others
