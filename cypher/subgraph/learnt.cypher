// What a training saw of some triples
// Which of them are training edges of its source, and which nodes have any edge there.
// takes: $heads list<int> = []: ids of the heads
// takes: $relations list<string> = []: relationship types
// takes: $tails list<int> = []: ids of the tails
// takes: $source string = null: name of the source of the training, every source where null
// returns: learnt list: the places of the triples that are training edges, from 0
// returns: familiar list: ids of the heads and tails that have an edge of the source
CALL () {
  UNWIND range(0, size($heads) - 1) AS place
  MATCH (h) WHERE id(h) = $heads[place]
  MATCH (t) WHERE id(t) = $tails[place]
  WITH place, h, t
  WHERE EXISTS { MATCH (h)-[r]->(t) WHERE type(r) = $relations[place] AND r.source = coalesce($source, r.source) AND NOT coalesce(r.split, '') IN ['valid', 'test'] }
  RETURN collect(place) AS learnt
}
CALL () {
  UNWIND $heads + $tails AS node
  WITH DISTINCT node
  MATCH (n) WHERE id(n) = node AND EXISTS { MATCH (n)-[r]-() WHERE r.source = coalesce($source, r.source) }
  RETURN collect(node) AS familiar
}
RETURN learnt, familiar
