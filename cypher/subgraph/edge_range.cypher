// Where the edges of a source lie in the store
// Reads every relationship once. Those that leave a concept or an entity are edges. Numbers between two of these ids are drawn to draw
// edges and their ends, and those that are none are drawn again: cypher/subgraph/neighbours.cypher, drawn_triples.cypher,
// drawn_entities.cypher.
// takes: $source string = null: name of the source, every source where null
// returns: first int|null: lowest id of an edge; null where there is none
// returns: last int|null: highest id of an edge
// returns: first_node int|null: lowest id of a node with an edge
// returns: last_node int|null: highest id of a node with an edge
// returns: train int: how many edges are of train, or have no split, as all that are not of valid or test
// returns: valid int: how many are of valid
// returns: test int: how many are of test
// returns: odd string|null: a split that is none of these; null where there is none
// returns: relations list<string>: their relationship types
// returns: entities int: how many nodes have an edge
CALL () {
  MATCH (n:Concept|Entity)
  WHERE EXISTS { MATCH (n)-[r]-() WHERE r.source = coalesce($source, r.source) }
  RETURN count(n) AS entities
}
MATCH (h:Concept|Entity)-[r]->(t)
WHERE r.source = coalesce($source, r.source)
RETURN min(id(r)) AS first, max(id(r)) AS last,
  min(CASE WHEN id(h) < id(t) THEN id(h) ELSE id(t) END) AS first_node, max(CASE WHEN id(h) < id(t) THEN id(t) ELSE id(h) END) AS last_node,
  count(CASE WHEN NOT coalesce(r.split, '') IN ['valid', 'test'] THEN 1 END) AS train, count(CASE r.split WHEN 'valid' THEN 1 END) AS valid,
  count(CASE r.split WHEN 'test' THEN 1 END) AS test,
  min(CASE WHEN NOT coalesce(r.split, '') IN ['', 'train', 'valid', 'test'] THEN r.split END) AS odd, collect(DISTINCT type(r)) AS relations, coalesce(max(entities), 0) AS entities
