// One statement
// A picture: a triple, or a sentence, with the targets that it names.
// takes: $head string = null: key of the head of a triple, such as en/lawyer
// takes: $type string = null: its relationship type
// takes: $tail string = null: key of its tail
// takes: $source string = null: name of the source, every source where null
// takes: $key string = null: key of a sentence
// returns: path path: the statement, and what leads from it to a target
// for: readers
CALL () {
  MATCH path = (h:Concept)-[r]->(o)
  WHERE h.key = $head AND o.key = $tail AND type(r) = $type AND r.source = coalesce($source, r.source)
  RETURN path, h, o
  UNION ALL
  MATCH path = (h:Entity)-[r]->(o)
  WHERE h.key = $head AND o.key = $tail AND type(r) = $type AND r.source = coalesce($source, r.source)
  RETURN path, h, o
  UNION ALL
  MATCH path = (h:Statement)
  WHERE h.key = $key
  RETURN path, h, h AS o
}
CALL (path, h, o) {
  RETURN path AS shown
  UNION ALL
  MATCH shown = (n)-[:NAMES|ABOUT|IMPLIES]->(:Target)
  WHERE n = h OR n = o
  RETURN shown
}
RETURN DISTINCT shown AS path
