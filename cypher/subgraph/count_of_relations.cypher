// Training edges of some relations
// How many triples: one that stands several times is one.
// takes: $relations list<string> = []: relationship types
// takes: $source string = null: name of the source, every source where null
// returns: edges int: how many
MATCH (h:Concept|Entity)
CALL (h) {
  MATCH (h)-[r]->(t)
  WHERE type(r) IN $relations AND r.source = coalesce($source, r.source) AND NOT coalesce(r.split, '') IN ['valid', 'test']
  RETURN count(DISTINCT [type(r), id(t)]) AS edges
}
RETURN coalesce(sum(edges), 0) AS edges
