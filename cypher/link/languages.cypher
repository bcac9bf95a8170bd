// Languages of statements and of target lists
// takes: $source string = null: name of the source, every source where null
// returns: concepts list<string>: languages of concepts in triples
// returns: sentences list<string>: languages of sentences
// returns: entities bool: whether triples of entities stand
// returns: targets list<string>: languages of the target lists
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
CALL () {
  OPTIONAL MATCH (t:Target)
  RETURN collect(DISTINCT CASE WHEN t IS NOT NULL THEN coalesce(t.language, 'en') END) AS targets
}
RETURN concepts, sentences, entities, targets
