// Languages of statements and of target lists
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $source string = null: name of the source, every source where null
// returns: concepts list<string>: languages of concepts in triples
// returns: sentences list<string>: languages of sentences
// returns: entities bool: whether triples of entities stand
// returns: targets list<string>: languages of the target lists
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
CALL () {
  OPTIONAL MATCH (c:Concept)-[r]-()
  WHERE r.source = coalesce($source, r.source)
  RETURN collect(DISTINCT c.language) AS concepts
}
CALL () {
  OPTIONAL MATCH (s:Statement)
  WHERE s.source = coalesce($source, s.source)
  RETURN collect(DISTINCT CASE WHEN s IS NOT NULL THEN coalesce(s.language, 'en') END) AS sentences
}
CALL () {
  RETURN EXISTS {
    MATCH (:Entity)-[r]-()
    WHERE r.source = coalesce($source, r.source)
  } AS entities
}
CALL (lists) {
  OPTIONAL MATCH (list:TargetList)-[:HOLDS]->(t:Target)
  WHERE list.name IN lists
  RETURN collect(DISTINCT t.language) AS targets
}
RETURN concepts, sentences, entities, targets
