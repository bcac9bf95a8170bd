// Properties of a source's statements
// Which properties the triples and the sentences of a source have, its marks and labels among them.
// takes: $source string: name of the source
// returns: names list<string>: their names, sorted
CALL () {
  MATCH ()-[r]->()
  WHERE r.source = $source
  UNWIND keys(r) AS name
  RETURN DISTINCT name
  UNION
  MATCH (s:Statement {source: $source})
  UNWIND keys(s) AS name
  RETURN DISTINCT name
}
WITH name ORDER BY name
RETURN collect(name) AS names
