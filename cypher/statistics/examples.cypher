// The most polarised statements of a target
// The most polarised statements of a target: the sentences behind its numbers.
// takes: $target string: name of the target
// takes: $source string = null: name of the source, all sources unless given
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the source
// takes: $measure string = 'sentiment': harm measure
// takes: $label string = null: only positive or only negative, both unless given
// takes: $limit int = 10: at most this many of each
// returns: label string: positive or negative
// returns: score float: the scorer's number
// returns: sentence string: the masked sentence that was scored
// returns: statement string: head, the relation's own name and tail; or the sentence
// returns: source string: the source
// returns: implied list<string>: what models of social bias frames say that it implies, each as group and statement (docs/frames.md)
// keys: statement
// first: label score sentence
// group: words
// cites: Mehrabi et al. 2021, figure 3 and table 9
// for: readers
CALL () {
  MATCH (t:Target {name: $target})<-[link:NAMES]-(c:Concept)-[r]-()
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND r.source = coalesce($source, r.source) AND r[$measure] IN ['positive', 'negative']
    AND r[$measure] = coalesce($label, r[$measure])
  WITH DISTINCT r
  RETURN r[$measure] AS label, r[$measure + '_score'] AS score, r.sentence AS sentence,
    startNode(r).text + ' ' + COLLECT { MATCH (k:Relation {type: CASE type(r) WHEN 'PROPOSED' THEN r.assertion ELSE type(r) END}) RETURN k.name }[0] + ' ' + endNode(r).text AS statement,
    r.source AS source, r AS triple
  UNION ALL
  MATCH (t:Target {name: $target})<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND s.source = coalesce($source, s.source) AND s[$measure] IN ['positive', 'negative']
    AND s[$measure] = coalesce($label, s[$measure])
  RETURN s[$measure] AS label, s[$measure + '_score'] AS score, s.sentence AS sentence, s.text AS statement, s.source AS source, null AS triple
}
WITH label, score, sentence, statement, source, triple
ORDER BY abs(score) DESC, statement
WITH label, collect({score: score, sentence: sentence, statement: statement, source: source, triple: triple})[..$limit] AS rows
UNWIND rows AS row
// A frame model read a triple as a sentence, with the phrase of its relation.
WITH label, row, row.triple AS r
WITH label, row, CASE WHEN r IS NULL THEN row.statement ELSE startNode(r).text + ' ' +
    coalesce(COLLECT { MATCH (k:Relation {type: CASE type(r) WHEN 'PROPOSED' THEN r.assertion ELSE type(r) END}) RETURN k.template }[0],
      toLower(replace(type(r), '_', ' '))) + ' ' + endNode(r).text END AS text
WITH collect({label: label, row: row, text: text}) AS chosen, collect(text) AS texts
// One pass over what models say: their posts have no relationship to the statements.
CALL (texts) {
  MATCH (p:Post)-[x:IMPLIES]->(:Target)
  WHERE p.predicted_by IS NOT NULL AND p.text IN texts
  RETURN collect({of: p.origin, text: p.text, implied: x.group + CASE x.text WHEN '' THEN '' ELSE ': ' + x.text END}) AS frames
}
UNWIND chosen AS each
WITH each.label AS label, each.row AS row, [frame IN frames WHERE frame.of = each.row.source AND frame.text = each.text | frame.implied] AS implied
RETURN label, row.score AS score, row.sentence AS sentence, row.statement AS statement, row.source AS source,
  COLLECT { UNWIND implied AS words RETURN DISTINCT words ORDER BY words } AS implied
ORDER BY label, abs(score) DESC, statement
