// What a source says of the targets of implied statements
// Its triples with a concept that names the target, in either direction, and its sentences about the target.
// takes: $source string: source of the posts that imply something about the targets
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the sources
// takes: $other string: the knowledge base
// takes: $category string = null: one category of targets, all where null
// returns: target string: name of the target
// returns: head string|null: text of the head; null for a sentence
// returns: relation string|null: the relation's own name; null for a sentence
// returns: tail string|null: text of the tail; null for a sentence
// returns: text string|null: the sentence; null for a triple
MATCH (t:Target)<-[:IMPLIES]-(:Post {source: $source})
WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of IN [$source, $other]) } AND t.category = coalesce($category, t.category)
WITH DISTINCT t
CALL (t) {
  MATCH (t)<-[link:NAMES]-(c:Concept)-[x]-(:Concept)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of IN [$source, $other]) AND coalesce(list.name IN link.lists, true) } AND x.source = $other
  WITH DISTINCT x
  RETURN startNode(x).text AS head, endNode(x).text AS tail, null AS text,
    coalesce(CASE type(x) WHEN 'PROPOSED' THEN x.relation END,
      COLLECT { MATCH (k:Relation {type: type(x)}) RETURN coalesce(k.own[0], k.name) }[0], type(x)) AS relation
  UNION
  MATCH (t)<-[:ABOUT]-(s:Statement {source: $other})
  RETURN null AS head, null AS tail, s.text AS text, null AS relation
}
RETURN t.name AS target, head, relation, tail, text
