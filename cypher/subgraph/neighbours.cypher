// Neighbours of some nodes, all or drawn
// Each node has its edges that are not of valid or test. Of more than $fanout that many are drawn, all subsets being equally likely;
// the same seed draws the same in the same store, until a relationship of the node is added or removed. The edges of a node are found,
// but properties are read of some alone: places among them are drawn until enough of these edges count. Where they do not, or where the
// fan-out is large, all are read, and those with the least hashes stay. The edges of a hub are not even found. Numbers of edges between
// $first_edge and $last_edge are drawn until enough of them are edges of the hub. An edge that stands several times, of other sources or
// assertions, is one.
// takes: $keys list<string> = []: keys of nodes
// takes: $nodes list<int> = []: ids of further nodes
// takes: $fanout int = null: edges drawn of each node, all where null
// takes: $both bool = true: also edges that leave a node, as inverses; otherwise only those that enter it
// takes: $seed int = 0: of the draw
// takes: $ends bool = true: also name the nodes at the other ends
// takes: $source string = null: name of the source, every source where null
// takes: $repeated bool = true: an edge may stand several times (cypher/subgraph/repeated.cypher); that none does saves time
// takes: $hub int = 10000: a node with more edges is a hub
// takes: $first_edge int = null: lowest id of an edge (cypher/subgraph/edge_range.cypher); without it all edges of hubs are read
// takes: $last_edge int = null: highest id of an edge
// returns: node list: ids of nodes
// returns: relation list: of each, the relationship types of its edges
// returns: inverse list: of each, whether the relationships leave it
// returns: other list: of each, ids of the nodes at the other ends
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
  WITH n, collect([type, inverse, o])[..$fanout] AS edges
  WHERE size(edges) = $fanout
  RETURN collect(n) AS served, collect([n, edges]) AS drawn
}
// Random lines: the values of one at two nodes are independent.
WITH rounds, all, served, drawn, [turn IN range(1, CASE WHEN $fanout <= 200 THEN 2 * $fanout + 5 ELSE 0 END) | [half IN [0, 1] |
  reduce(hash = 2147483647 - 2 * turn - half, key IN rounds | (hash + key) * (hash + key) % 2147483647 * ((hash + key) * (hash + key) % 2147483647) % 2147483647 * (hash + key) % 2147483647)]] AS lines
CALL (rounds, all, served, lines) {
  UNWIND all AS n
  WITH rounds, lines, n WHERE NOT n IN served
  // Of a hub of which drawn ids found too few edges, no list of all is made, nor where no places are drawn.
  WITH rounds, lines, n, COUNT { (n)<--() } + CASE WHEN $both THEN COUNT { (n)-->() } ELSE 0 END AS degree
  WITH rounds, lines, n, degree <= $hub AND (degree <= $fanout OR $fanout <= 200) AS listed
  // Rows to be sorted would carry the lists along: after a collect they do not.
  CALL (n, lines, listed) {
    CALL (n, listed) {
      WITH n WHERE listed
      MATCH (n)<-[r]-()
      RETURN collect(r) AS entering
    }
    CALL (n, listed) {
      WITH n WHERE listed AND $both
      MATCH (n)-[r]->()
      RETURN collect(r) AS leaving
    }
    WITH lines, n, entering, leaving, size(entering) AS first, size(entering) + size(leaving) AS degree
    WITH n, entering, leaving, first, degree, CASE WHEN degree <= $fanout THEN range(0, degree - 1)
      ELSE reduce(places = [], value IN [line IN lines | (line[0] * (id(n) % 2147483647) + line[1]) % 2147483647] |
        CASE WHEN value >= 2147483647 - 2147483647 % degree OR value % degree IN places THEN places ELSE places + value % degree END) END AS places
    WITH degree, size(places) AS seen, [way IN [place IN places | CASE WHEN place < first THEN [entering[place], false] ELSE [leaving[place - first], true] END]
      WHERE way[0].source = coalesce($source, way[0].source) AND NOT coalesce(way[0].split, '') IN ['valid', 'test']] AS ways
    RETURN collect([degree, seen, ways]) AS drawn_places
  }
  WITH rounds, n, drawn_places[0][0] AS degree, drawn_places[0][1] AS seen, drawn_places[0][2] AS ways
  CALL (n, ways) {
    WITH n, ways WHERE $repeated
    UNWIND range(0, size(ways) - 1) AS turn
    WITH n, turn, ways[turn][0] AS r, ways[turn][1] AS inverse
    WITH n, turn, r, type(r) AS type, inverse, CASE WHEN inverse THEN endNode(r) ELSE startNode(r) END AS o
    WHERE NOT EXISTS { MATCH (n)-[same]-(o) WHERE type(same) = type AND id(same) < id(r) AND (n = o OR (startNode(same) = n) = inverse)
      AND same.source = coalesce($source, same.source) AND NOT coalesce(same.split, '') IN ['valid', 'test'] }
    WITH r, inverse ORDER BY turn
    RETURN collect([r, inverse]) AS once
  }
  WITH rounds, n, degree, seen, CASE WHEN $repeated THEN once ELSE ways END AS ways
  WITH rounds, n, (seen < degree OR degree = 0) AND size(ways) < coalesce($fanout, 9223372036854775807) AS few, ways[..coalesce($fanout, 0)] AS ways
  // Grouping takes most of the time: of many edges the least hashes come first, and then those that stand several times are left out.
  CALL (rounds, n, few) {
    WITH rounds, n WHERE few AND COUNT { (n)--() } > 5 * $fanout + 20
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
    WITH o, r, type, inverse, hash ORDER BY hash, id(r), inverse
    RETURN collect([type, inverse, o])[..coalesce($fanout, 0)] AS least
  }
  CALL (rounds, n, few, least) {
    WITH rounds, n WHERE few AND size(least) < coalesce($fanout, 9223372036854775807)
    CALL (n) {
      MATCH (n)<-[r]-(o)
      WHERE r.source = coalesce($source, r.source) AND NOT coalesce(r.split, '') IN ['valid', 'test']
      RETURN o, type(r) AS type, false AS inverse, min(id(r)) AS edge
      UNION ALL
      MATCH (n)-[r]->(o)
      WHERE $both AND r.source = coalesce($source, r.source) AND NOT coalesce(r.split, '') IN ['valid', 'test']
      RETURN o, type(r) AS type, true AS inverse, min(id(r)) AS edge
    }
    WITH o, type, inverse, edge, reduce(hash = (edge * 2 + CASE WHEN inverse THEN 1 ELSE 0 END) % 2147483647, key IN rounds | (hash + key) * (hash + key) % 2147483647 * ((hash + key) * (hash + key) % 2147483647) % 2147483647 * (hash + key) % 2147483647) AS hash
    ORDER BY hash, edge, inverse LIMIT coalesce($fanout, 9223372036854775807)
    RETURN collect([type, inverse, o]) AS edges
  }
  RETURN collect([n, CASE WHEN few AND size(least) = $fanout THEN least WHEN few THEN edges ELSE [way IN ways | [type(way[0]), way[1], CASE WHEN way[1] THEN endNode(way[0]) ELSE startNode(way[0]) END]] END]) AS few
}
WITH all, drawn + few AS found
CALL (all, found) {
  UNWIND [all] + CASE WHEN $ends THEN [some IN found | [edge IN some[1] | edge[2]]] ELSE [] END AS some
  UNWIND some AS one
  WITH DISTINCT one
  RETURN collect(id(one)) AS ids, collect(one.key) AS names
}
RETURN [some IN found | id(some[0])] AS node, [some IN found | [edge IN some[1] | edge[0]]] AS relation, [some IN found | [edge IN some[1] | edge[1]]] AS inverse, [some IN found | [edge IN some[1] | id(edge[2])]] AS other, ids, names
