// What a source says of the targets of implied statements
// Its triples with a concept that names the target, in either direction, and its sentences about the target.
// takes: $source string: source of the posts that imply something about the targets
// takes: $other string: the knowledge base
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the sources, where null
// takes: $category string = null: one category of targets, all where null
// returns: target string: name of the target
// returns: head string|null: text of the head; null for a sentence
// returns: relation string|null: the relation's own name; null for a sentence
// returns: tail string|null: text of the tail; null for a sentence
// returns: text string|null: the sentence; null for a triple
CALL () {
  // The lists that are named, or all lists and the groups of the sources.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name IN [$source, $other])
  RETURN collect(list.name) AS lists
}
MATCH (group:Target)
WHERE EXISTS { (group)<-[:IMPLIES]-(:Post {source: $source}) }
CALL (group, lists) {
  // The target of one of the lists that the group is, or the group itself.
  OPTIONAL MATCH (group)-[listed:LISTED_AS]->(same:Target)
  WHERE any(name IN listed.lists WHERE name IN lists)
  WITH group, lists, listed, same ORDER BY listed.place, same.name LIMIT 1
  WITH lists, coalesce(same, group) AS t
  MATCH (list:TargetList)-[held:HOLDS]->(t)
  WHERE list.name IN lists
  WITH t, list, held ORDER BY list.kind DESC, list.place LIMIT 1
  RETURN t, held.category AS category, held.names AS names
}
WITH DISTINCT lists, t, category
WHERE category = coalesce($category, category)
CALL (lists, t) {
  MATCH (list:TargetList)-[held:HOLDS]->(t)
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists)
  RETURN collect(list.name) AS of
}
CALL (t, of) {
  MATCH (t)<-[named:NAMES]-(c:Concept)-[x]-(:Concept)
  WHERE (named.lists IS NULL OR any(name IN named.lists WHERE name IN of)) AND x.source = $other
  WITH DISTINCT x
  RETURN startNode(x).text AS head, endNode(x).text AS tail, null AS text,
    coalesce(CASE type(x) WHEN 'PROPOSED' THEN x.relation END,
      COLLECT { MATCH (k:Relation {type: type(x)}) RETURN coalesce(k.own[0], k.name) }[0], type(x)) AS relation
  UNION
  MATCH (t)<-[about:ABOUT]-(s:Statement {source: $other})
  WHERE about.lists IS NULL OR any(name IN about.lists WHERE name IN of)
  RETURN null AS head, null AS tail, s.text AS text, null AS relation
}
RETURN t.name AS target, head, relation, tail, text
