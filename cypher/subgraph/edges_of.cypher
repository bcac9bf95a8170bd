// Edges of some nodes
// All that are not of valid or test, in both directions. An edge that stands several times comes as often: grouping would take longer.
// takes: $nodes list<int> = []: ids of the nodes
// takes: $source string = null: name of the source, every source where null
// returns: node list: id of the node that each edge enters
// returns: relation list: relationship types
// returns: inverse list: whether the relationship leaves the node
// returns: other list: id of the node at the other end
CALL () {
  UNWIND $nodes AS node
  MATCH (n)<-[r]-(o)
  WHERE id(n) = node AND r.source = coalesce($source, r.source) AND NOT coalesce(r.split, '') IN ['valid', 'test']
  RETURN node, type(r) AS relation, false AS inverse, id(o) AS other
  UNION ALL
  UNWIND $nodes AS node
  MATCH (n)-[r]->(o)
  WHERE id(n) = node AND r.source = coalesce($source, r.source) AND NOT coalesce(r.split, '') IN ['valid', 'test']
  RETURN node, type(r) AS relation, true AS inverse, id(o) AS other
}
RETURN collect(node) AS node, collect(relation) AS relation, collect(inverse) AS inverse, collect(other) AS other
