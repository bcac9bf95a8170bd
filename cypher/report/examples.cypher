// Examples of several targets
// The most polarised statements of each, as statistics/examples gives them of one.
// takes: $targets list<string>: names of the targets
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $measure string: harm measure
// takes: $limit int = 3: how many of each target and label at the most
// returns: target string: name of the target
// returns: label string: positive or negative
// returns: score float: the scorer's number
// returns: statement string: head, the relation's own name and tail; or the sentence
// cites: Mehrabi et al. 2021, figure 3 and table 9
UNWIND $targets AS target
CALL (target) {
  MATCH (t:Target {name: target})<-[link:NAMES]-(:Concept)-[r]-()
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND r.source = $source AND r[$measure] IN ['positive', 'negative']
  WITH DISTINCT r
  RETURN r[$measure] AS label, r[$measure + '_score'] AS score,
    startNode(r).text + ' ' + COLLECT { MATCH (k:Relation {type: CASE type(r) WHEN 'PROPOSED' THEN r.assertion ELSE type(r) END}) RETURN k.name }[0] + ' ' + endNode(r).text AS statement
  UNION ALL
  MATCH (t:Target {name: target})<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND s.source = $source AND s[$measure] IN ['positive', 'negative']
  RETURN s[$measure] AS label, s[$measure + '_score'] AS score, s.text AS statement
}
WITH DISTINCT target, label, score, statement
ORDER BY abs(score) DESC, statement
WITH target, label, collect({score: score, statement: statement})[..$limit] AS rows
UNWIND rows AS row
RETURN target, label, row.score AS score, row.statement AS statement
ORDER BY target, label, abs(score) DESC, statement
