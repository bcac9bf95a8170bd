// Neighbours of some nodes, all or drawn
// Each node has its edges that are not of valid or test. Of more than $fanout that many are drawn, all subsets being equally likely;
// the same seed draws the same in the same store. Of a node with few edges all are read, and those with the least hashes stay. Those
// of a hub are not read. Numbers of edges between $first_edge and $last_edge are drawn until enough of them are edges of the hub. An edge
// that stands several times, of other sources or assertions, is one.
// takes: $keys list<string> = []: keys of nodes
// takes: $nodes list<int> = []: ids of further nodes
// takes: $fanout int = null: edges drawn of each node, all where null
// takes: $both bool = true: also edges that leave a node, as inverses; otherwise only those that enter it
// takes: $seed int = 0: of the draw
// takes: $ends bool = true: also name the nodes at the other ends
// takes: $source string = null: name of the source, every source where null
// takes: $hub int = 10000: a node with more edges is a hub
// takes: $first_edge int = null: lowest id of an edge (cypher/subgraph/edge_range.cypher); without it all edges of hubs are read
// takes: $last_edge int = null: highest id of an edge
// returns: node list: id of the node that each edge enters
// returns: relation list: relationship types
// returns: inverse list: whether the relationship leaves the node
// returns: other list: id of the node at the other end
// returns: ids list: ids of all these nodes, and of those without an edge
// returns: names list: their keys
CALL () {
  UNWIND $keys AS key
  MATCH (n:Concept|Entity {key: key})
  RETURN n
  UNION ALL
  UNWIND $nodes AS node
  MATCH (n) WHERE id(n) = node
  RETURN n
}
// The store keeps the degree of a node with many edges. A hash has three rounds of a fifth power modulo a prime, which only permute.
WITH n, COUNT { (n)<--() } + CASE WHEN $both THEN COUNT { (n)-->() } ELSE 0 END AS degree,
  [turn IN range(1, 3) | (abs($seed) % 2147483647 * (7919 * turn) + 104729 * turn) % 536870909] AS rounds
WITH rounds, collect(n) AS all, collect(CASE WHEN degree > $hub AND $fanout < degree AND $last_edge - $first_edge < 1073741823 THEN n END) AS hubs,
  min(CASE WHEN degree > $hub THEN degree END) AS least, CASE WHEN $both THEN 2 ELSE 1 END AS ways, $last_edge - $first_edge + 1 AS span
CALL (rounds, hubs, least, ways, span) {
  WITH rounds, ways, span, [hub IN hubs | id(hub)] AS hub_ids, CASE WHEN size(hubs) = 0 THEN 0 ELSE (3 * $fanout + 10) * span * ways / least END AS draws
  UNWIND range(1, draws) AS turn
  WITH hub_ids, span, ways, turn, reduce(hash = turn, key IN rounds | (hash + key) * (hash + key) % 2147483647 * ((hash + key) * (hash + key) % 2147483647) % 2147483647 * (hash + key) % 2147483647) AS hash
  WHERE hash < 2147483647 - 2147483647 % (span * ways)
  WITH hub_ids, span, hash % (span * ways) AS drawn, min(turn) AS turn
  MATCH (h)-[r]->(t) WHERE id(r) = $first_edge + drawn % span
  WITH hub_ids, turn, r, type(r) AS type, drawn >= span AS inverse, CASE WHEN drawn >= span THEN h ELSE t END AS n, CASE WHEN drawn >= span THEN t ELSE h END AS o
  WHERE id(n) IN hub_ids AND r.source = coalesce($source, r.source) AND NOT coalesce(r.split, '') IN ['valid', 'test']
    AND NOT EXISTS { MATCH (n)-[same]-(o) WHERE type(same) = type AND id(same) < id(r) AND (n = o OR (startNode(same) = n) = inverse)
      AND same.source = coalesce($source, same.source) AND NOT coalesce(same.split, '') IN ['valid', 'test'] }
  WITH n, type, inverse, o ORDER BY turn
  WITH n, collect([n, type, inverse, o])[..$fanout] AS edges
  WHERE size(edges) = $fanout
  RETURN collect(n) AS served, collect(edges) AS drawn
}
CALL (rounds, all, served) {
  UNWIND all AS n
  WITH rounds, n WHERE NOT n IN served
  // Grouping takes most of the time: of many edges the least hashes come first, and then those that stand several times are left out.
  CALL (rounds, n) {
    WITH rounds, n WHERE COUNT { (n)--() } > 5 * $fanout + 20
    CALL (n) {
      MATCH (n)<-[r]-(o)
      WHERE r.source = coalesce($source, r.source) AND NOT coalesce(r.split, '') IN ['valid', 'test']
      RETURN o, r, false AS inverse
      UNION ALL
      MATCH (n)-[r]->(o)
      WHERE $both AND r.source = coalesce($source, r.source) AND NOT coalesce(r.split, '') IN ['valid', 'test']
      RETURN o, r, true AS inverse
    }
    WITH n, o, r, inverse, reduce(hash = (id(r) * 2 + CASE WHEN inverse THEN 1 ELSE 0 END) % 2147483647, key IN rounds | (hash + key) * (hash + key) % 2147483647 * ((hash + key) * (hash + key) % 2147483647) % 2147483647 * (hash + key) % 2147483647) AS hash
    ORDER BY hash, id(r), inverse LIMIT 2 * coalesce($fanout, 0) + 10
    WITH n, o, r, type(r) AS type, inverse, hash
    WHERE NOT EXISTS { MATCH (n)-[same]-(o) WHERE type(same) = type AND id(same) < id(r) AND (n = o OR (startNode(same) = n) = inverse)
      AND same.source = coalesce($source, same.source) AND NOT coalesce(same.split, '') IN ['valid', 'test'] }
    WITH n, o, r, type, inverse, hash ORDER BY hash, id(r), inverse
    RETURN collect([n, type, inverse, o])[..coalesce($fanout, 0)] AS least
  }
  CALL (rounds, n, least) {
    WITH rounds, n WHERE size(least) < coalesce($fanout, 9223372036854775807)
    CALL (n) {
      MATCH (n)<-[r]-(o)
      WHERE r.source = coalesce($source, r.source) AND NOT coalesce(r.split, '') IN ['valid', 'test']
      RETURN o, type(r) AS type, false AS inverse, min(id(r)) AS edge
      UNION ALL
      MATCH (n)-[r]->(o)
      WHERE $both AND r.source = coalesce($source, r.source) AND NOT coalesce(r.split, '') IN ['valid', 'test']
      RETURN o, type(r) AS type, true AS inverse, min(id(r)) AS edge
    }
    WITH n, o, type, inverse, edge, reduce(hash = (edge * 2 + CASE WHEN inverse THEN 1 ELSE 0 END) % 2147483647, key IN rounds | (hash + key) * (hash + key) % 2147483647 * ((hash + key) * (hash + key) % 2147483647) % 2147483647 * (hash + key) % 2147483647) AS hash
    ORDER BY hash, edge, inverse LIMIT coalesce($fanout, 9223372036854775807)
    RETURN collect([n, type, inverse, o]) AS edges
  }
  RETURN collect(CASE WHEN size(least) = $fanout THEN least ELSE edges END) AS few
}
CALL (all, drawn, few) {
  UNWIND drawn + few AS some
  UNWIND some AS edge
  RETURN collect(id(edge[0])) AS node, collect(edge[1]) AS relation, collect(edge[2]) AS inverse, collect(id(edge[3])) AS other, collect(edge[3]) AS others
}
CALL (all, others) {
  UNWIND all + CASE WHEN $ends THEN others ELSE [] END AS one
  WITH DISTINCT one
  RETURN collect(id(one)) AS ids, collect(one.key) AS names
}
RETURN node, relation, inverse, other, ids, names
