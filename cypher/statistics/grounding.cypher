// Triples of a source that another one has
// How many triples of one source have their head, their tail or both in another source. The 95 % intervals are Wilson's (1927).
// takes: $source string: the source whose triples are looked up, such as atomic
// takes: $other string: the source in which their ends are looked up, such as aser
// returns: what string: head, tail, both, or edge: joined by a triple of the other source, in either direction
// returns: n int: triples of the first source
// returns: grounded int: those that are in the other
// returns: percent float: their share
// returns: low float: lower end of its interval
// returns: high float: upper end
// keys: what
// first: percent n
// group: graph
// kept: until the triples change
// cites: Fang et al. 2021, tables 2 and 3; Wilson 1927
// for: readers
// empty: the first source has no triple: 'harmgraph source list' shows what is loaded
CALL () {
  // Each end is looked up once, however many triples it has.
  MATCH (end)-[r]-()
  WHERE r.source = $source
  WITH DISTINCT end
  WHERE $other = $source OR EXISTS { (end)-[q]-() WHERE q.source = $other }
  RETURN collect(end) AS grounded_ends
}
MATCH (h)-[r]->(t)
WHERE r.source = $source
WITH h, t, h IN grounded_ends AS head, t IN grounded_ends AS tail
WITH head, tail, head AND tail AND ($other = $source OR EXISTS { (h)-[q]-(t) WHERE q.source = $other }) AS edge
WITH count(*) AS n, sum(CASE WHEN head THEN 1 ELSE 0 END) AS heads, sum(CASE WHEN tail THEN 1 ELSE 0 END) AS tails,
  sum(CASE WHEN head AND tail THEN 1 ELSE 0 END) AS both, sum(CASE WHEN edge THEN 1 ELSE 0 END) AS edges
WHERE n > 0
UNWIND [['head', heads], ['tail', tails], ['both', both], ['edge', edges]] AS pair
WITH pair[0] AS what, n, pair[1] AS grounded, toFloat(pair[1]) / n AS p, 1.959963984540054 AS z, 1.959963984540054 ^ 2 AS z2
RETURN what, n, grounded, 100 * p AS percent,
  CASE grounded WHEN 0 THEN 0.0 ELSE
    100 * (p + z2 / (2 * n) - z * sqrt(p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n) END AS low,
  CASE grounded WHEN n THEN 100.0 ELSE
    100 * (p + z2 / (2 * n) + z * sqrt(p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n) END AS high
