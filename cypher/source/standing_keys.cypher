// Which of these nodes stand in a source
// takes: $keys list<string>: keys of concepts
// takes: $source string: name of the source
// returns: key string: key of a concept that is an end of one of its triples
UNWIND $keys AS key
MATCH (c:Concept {key: key})
WHERE EXISTS { (c)-[r]-() WHERE r.source = $source }
RETURN DISTINCT c.key AS key
