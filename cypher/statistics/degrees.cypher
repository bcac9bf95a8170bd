// In- and out-degree of heads and tails
// Mean in- and out-degree of the heads and tails of one source, counted in its own triples or in those of another.
// takes: $source string: the source whose heads and tails are looked at, such as atomic
// takes: $other string = null: the source whose triples are counted, such as aser; without it, the first one
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
// group: graph
// kept: until the triples change
// cites: Fang et al. 2021, table 3
// for: readers
// empty: the source has no triple: 'harmgraph source list' shows what is loaded
MATCH (node)-[r]-()
WHERE r.source = $source
// Without a direction a relationship comes once for each of its ends, and once alone where both are one node.
WITH node, sum(CASE WHEN endNode(r) = node THEN 1 ELSE 0 END) AS ins, sum(CASE WHEN startNode(r) = node THEN 1 ELSE 0 END) AS outs
WITH ins > 0 AS is_tail, outs > 0 AS is_head,
  CASE coalesce($other, $source) WHEN $source THEN ins ELSE COUNT { (node)<-[q]-() WHERE q.source = $other } END AS ins,
  CASE coalesce($other, $source) WHEN $source THEN outs ELSE COUNT { (node)-[q]->() WHERE q.source = $other } END AS outs
// Aggregates leave out what is null.
WITH is_tail, is_head, CASE WHEN ins + outs > 0 THEN ins END AS ins, CASE WHEN ins + outs > 0 THEN outs END AS outs
UNWIND CASE WHEN is_head AND is_tail THEN ['head', 'tail'] WHEN is_head THEN ['head'] ELSE ['tail'] END AS end
WITH end, count(*) - count(ins) AS absent, count(ins) AS n, avg(ins) AS in_degree, stDev(ins) AS in_spread, avg(outs) AS out_degree,
  stDev(outs) AS out_spread, percentileCont(ins + outs, 0.5) AS median, max(ins + outs) AS most, 1.959963984540054 AS z
RETURN end, n, absent, in_degree, in_degree - z * in_spread / sqrt(n) AS in_low, in_degree + z * in_spread / sqrt(n) AS in_high,
  out_degree, out_degree - z * out_spread / sqrt(n) AS out_low, out_degree + z * out_spread / sqrt(n) AS out_high, median, most
ORDER BY end
