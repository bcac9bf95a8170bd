// Triples of each relation
// Triples of each relation, their share, and how many different heads and tails they have.
// takes: $source string = null: name of the source, all sources unless given
// returns: relation string: name of the relation
// returns: n int: triples
// returns: percent float: their share of all triples here
// returns: heads int: different heads
// returns: tails int: different tails
// returns: weight float|null: sum of the weights, null where the triples have none
// keys: relation
// first: n percent
// group: graph
// kept: until the triples change
// cites: Fang et al. 2021, tables 4 and 13
// for: readers
// empty: no triple: 'harmgraph source list' shows what is loaded
MATCH (h)-[r]->(t)
WHERE r.source = coalesce($source, r.source)
WITH type(r) AS type, count(*) AS n, count(DISTINCT h) AS heads, count(DISTINCT t) AS tails, sum(r.weight) AS weight,
  count(r.weight) AS weighed
WITH collect({type: type, n: n, heads: heads, tails: tails, weight: CASE weighed WHEN 0 THEN null ELSE weight END}) AS rows,
  sum(n) AS total
UNWIND rows AS row
OPTIONAL MATCH (relation:Relation {type: row.type})
RETURN coalesce(relation.name, row.type) AS relation, row.n AS n, 100.0 * row.n / total AS percent, row.heads AS heads,
  row.tails AS tails, row.weight AS weight
ORDER BY n DESC, relation
