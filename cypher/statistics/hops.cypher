// Triples whose ends paths of another join
// How many triples of one source have ends that paths of another source connect, and how long the shortest paths are.
// Paths have at most 4 relationships, from head to tail. If there are more triples than the sample, they are drawn by a seed.
// takes: $source string: the source whose triples are looked at, such as atomic
// takes: $other string: the source whose triples are walked, such as aser
// takes: $sample int = 1000: about how many triples to look at, at most; 0 for all
// takes: $sample_seed int = 0: seed of the sample
// takes: $directed bool = true: walk relationships from head to tail only
// returns: n int: triples that were looked at
// returns: both int: those whose head and tail are in the other source
// returns: connected int: those whose ends a path connects
// returns: percent float: their share
// returns: low float: lower end of its 95 % interval, of Wilson (1927)
// returns: high float: upper end
// returns: hops float|null: mean length of the shortest paths
// returns: hops_low float|null: lower end of its 95 % interval, of the normal distribution
// returns: hops_high float|null: upper end
// keys: n
// first: percent hops
// group: graph
// cites: Fang et al. 2021, table 3; Wilson 1927
// for: readers
// empty: the first source has no triple: 'harmgraph source list' shows what is loaded
CALL () {
  MATCH ()-[r]->()
  WHERE r.source = $source
  RETURN count(r) AS total
}
MATCH (h)-[r]->(t)
WHERE r.source = $source
// A multiplicative hash of the relationship's number: the same triples for the same seed.
WITH h, t, total, toInteger(split(elementId(r), ':')[-1]) * 2654435761 + $sample_seed * 40503 + 12345 AS product
// The remainder, without its sign, which the address of a saved query cannot hold.
WITH h, t, total, product - product / 4294967296 * 4294967296 AS drawn
WHERE $sample = 0 OR total <= $sample OR abs(drawn) < 4294967296.0 * $sample / total
WITH h, t, EXISTS { (h)-[q]-() WHERE q.source = $other } AND EXISTS { (t)-[q]-() WHERE q.source = $other } AS both
// A search for the shortest path begins with all neighbours of both ends. Whether one relationship joins them is told at once.
WITH h, t, both, both AND h <> t AND (EXISTS { (h)-[q]->(t) WHERE q.source = $other }
  OR NOT $directed AND EXISTS { (h)<-[q]-(t) WHERE q.source = $other }) AS joined
OPTIONAL CALL (h, t, both, joined) {
  WITH joined
  WHERE joined
  RETURN 1 AS length
  UNION ALL
  WITH h, t, both, joined
  WHERE both AND $directed AND h <> t AND NOT joined
  MATCH path = shortestPath((h)-[*..4]->(t))
  WHERE all(step IN relationships(path) WHERE step.source = $other)
  RETURN length(path) AS length
  UNION ALL
  WITH h, t, both, joined
  WHERE both AND NOT $directed AND h <> t AND NOT joined
  MATCH path = shortestPath((h)-[*..4]-(t))
  WHERE all(step IN relationships(path) WHERE step.source = $other)
  RETURN length(path) AS length
}
WITH count(*) AS n, sum(CASE WHEN both THEN 1 ELSE 0 END) AS both, count(length) AS connected, avg(length) AS hops,
  stDev(length) AS spread
WHERE n > 0
WITH n, both, connected, hops, spread, toFloat(connected) / n AS p, 1.959963984540054 AS z, 1.959963984540054 ^ 2 AS z2
RETURN n, both, connected, 100 * p AS percent,
  CASE connected WHEN 0 THEN 0.0 ELSE
    100 * (p + z2 / (2 * n) - z * sqrt(p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n) END AS low,
  CASE connected WHEN n THEN 100.0 ELSE
    100 * (p + z2 / (2 * n) + z * sqrt(p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n) END AS high,
  hops,
  CASE connected WHEN 0 THEN null ELSE hops - z * spread / sqrt(connected) END AS hops_low,
  CASE connected WHEN 0 THEN null ELSE hops + z * spread / sqrt(connected) END AS hops_high
