// Insulted targets
// How many statements about each target are insults, the most first.
// takes: $source string = null: name of the source, every source where null
// takes: $measure string = 'insult': harm measure
// takes: $limit int = 100: how many rows at most
// returns: target string: name of the target
// returns: statements int: statements about it
// returns: insults int: those of them that are insults
// keys: target
// first: insults
// cites: an example
// for: readers
// measures: target insults
MATCH (t:Target)<-[:NAMES]-(:Concept)-[r]-()
WHERE r.source = coalesce($source, r.source)
WITH t, collect(DISTINCT r) AS triples
RETURN t.name AS target, size(triples) AS statements, size([r IN triples WHERE r[$measure] = 'negative']) AS insults
ORDER BY insults DESC, target
LIMIT $limit
