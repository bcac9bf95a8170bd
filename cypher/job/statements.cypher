// Statements behind a number
// Those that a number of a job counts, the strongest first.
// takes: $target string = null: name of the target that the number is of, all where null
// takes: $category string = null: category of the targets, all where null
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $measure string = null: harm measure, none where null
// takes: $labels list<string> = []: labels of the measure that the number counts, every statement where empty
// takes: $limit int = 10: how many at most
// returns: target string: name of the target
// returns: label string|null: label of the measure
// returns: score float|null: the scorer's number
// returns: sentence string|null: the masked sentence that was scored
// returns: statement string: head, the relation's own name and tail; or the sentence
// returns: source string: the source
CALL () {
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND t.name = coalesce($target, t.name) AND t.category = coalesce($category, t.category)
  MATCH (c)-[r]-()
  WHERE r.source = coalesce($source, r.source) AND (size($labels) = 0 OR r[$measure] IN $labels)
  WITH r, min(t.name) AS target, r[$measure + '_score'] AS score
  ORDER BY abs(coalesce(score, 0)) DESC, startNode(r).text, type(r), endNode(r).text
  LIMIT $limit
  RETURN target, r[$measure] AS label, score, r.sentence AS sentence, startNode(r).text + ' ' +
    coalesce(COLLECT { MATCH (k:Relation {type: CASE type(r) WHEN 'PROPOSED' THEN r.assertion ELSE type(r) END}) RETURN k.name }[0], type(r)) +
    ' ' + endNode(r).text AS statement, r.source AS source
  UNION ALL
  MATCH (t:Target)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND t.name = coalesce($target, t.name) AND t.category = coalesce($category, t.category)
    AND s.source = coalesce($source, s.source) AND (size($labels) = 0 OR s[$measure] IN $labels)
  WITH s, min(t.name) AS target, s[$measure + '_score'] AS score
  ORDER BY abs(coalesce(score, 0)) DESC, s.text
  LIMIT $limit
  RETURN target, s[$measure] AS label, score, s.sentence AS sentence, s.text AS statement, s.source AS source
}
RETURN target, label, score, sentence, statement, source
ORDER BY abs(coalesce(score, 0)) DESC, statement, target
LIMIT $limit
