// Sentences about a target, for people to judge
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $target string = null: name of the target, every target where null
// takes: $measure string = 'sentiment': harm measure of the scorer whose labels are shown
// returns: id string: element id of the Statement
// returns: text string: the sentence
// returns: names list<list<string>>: names and aliases of the targets, a list per target
// returns: head string|null: the words at its beginning that are masked; null if all names are masked
// returns: spans list<int>: where these targets stand, where they were found in the text: start, end, start, end; else empty
// returns: targets list<string>: names of the targets
// returns: sentence string|null: the masked sentence that was scored
// returns: source string: the source
// returns: label string|null: the scorer's label
// returns: score float|null: the scorer's number
// returns: by string|null: the scorer and its version
MATCH (s:Statement)
WHERE s.source = coalesce($source, s.source)
WITH s, [(s)-[:ABOUT]->(t:Target) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } | t.name] AS targets
WHERE size(targets) > 0 AND ($target IS NULL OR $target IN targets)
RETURN elementId(s) AS id, s.text AS text, [(s)-[:ABOUT]->(t:Target) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } | t.names] AS names, s.head AS head,
  reduce(every = [], some IN [(s)-[a:ABOUT]->(t:Target) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } | coalesce(a.spans, [])] | every + some) AS spans, targets, s.sentence AS sentence, s.source AS source,
  s[$measure] AS label, s[$measure + '_score'] AS score, s[$measure + '_by'] AS by
