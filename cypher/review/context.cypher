// What else its source says of a target
// A few other statements about the target, in no order, so that a person sees how the source speaks.
// takes: $target string: name of the target
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $limit int = 4: how many of each kind at most
// returns: said string: head, relation's own name and tail; or the sentence
CALL () {
  MATCH (t:Target {name: $target})<-[link:NAMES]-(:Concept)-[r]-(:Concept)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND r.source = $source
  WITH DISTINCT r LIMIT $limit
  MATCH (k:Relation {type: CASE type(r) WHEN 'PROPOSED' THEN r.assertion ELSE type(r) END})
  RETURN startNode(r).text + ' ' + k.name + ' ' + endNode(r).text AS said
  UNION ALL
  MATCH (:Target {name: $target})<-[:ABOUT]-(s:Statement)
  WHERE s.source = $source
  RETURN s.text AS said LIMIT $limit
}
RETURN said
