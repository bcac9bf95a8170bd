// Degrees
// Mean in- and out-degree of the heads and tails of one source, counted in its own triples or in those of another.
// takes: $source string: the source whose heads and tails are looked at, such as atomic
// takes: $other string = null: the source whose triples are counted, such as aser; the first one where null
// returns: end string: head or tail
// returns: n int: different nodes that are this end of a triple of the first source and in a triple of the second
// returns: absent int: those that are in no triple of the second; they do not enter the means
// returns: in_degree float: mean number of triples that end there
// returns: in_low float: lower end of its 95 % interval, of the normal distribution
// returns: in_high float: upper end
// returns: out_degree float: mean number of triples that begin there
// returns: out_low float: lower end of its interval
// returns: out_high float: upper end
// returns: median float: median of in- and out-degree together
// returns: most int: the largest in- and out-degree together
// keys: end
// first: n in_degree out_degree
// cites: Fang et al. 2021, table 3
// for: readers
// empty: the source has no triple: 'harmgraph source list' shows what is loaded
MATCH (h)-[r]->(t)
WHERE r.source = $source
UNWIND [['head', h], ['tail', t]] AS pair
WITH DISTINCT pair[0] AS end, pair[1] AS node
WITH end, COUNT { (node)<-[q]-() WHERE q.source = coalesce($other, $source) } AS ins,
  COUNT { (node)-[q]->() WHERE q.source = coalesce($other, $source) } AS outs
WITH end, sum(CASE ins + outs WHEN 0 THEN 1 ELSE 0 END) AS absent,
  [pair IN collect([ins, outs]) WHERE pair[0] + pair[1] > 0] AS degrees
UNWIND CASE size(degrees) WHEN 0 THEN [null] ELSE degrees END AS degree
WITH end, absent, count(degree) AS n, avg(degree[0]) AS in_degree, stDev(degree[0]) AS in_spread, avg(degree[1]) AS out_degree,
  stDev(degree[1]) AS out_spread, percentileCont(degree[0] + degree[1], 0.5) AS median, max(degree[0] + degree[1]) AS most,
  1.959963984540054 AS z
RETURN end, n, absent, in_degree, in_degree - z * in_spread / sqrt(n) AS in_low, in_degree + z * in_spread / sqrt(n) AS in_high,
  out_degree, out_degree - z * out_spread / sqrt(n) AS out_low, out_degree + z * out_spread / sqrt(n) AS out_high, median, most
ORDER BY end
