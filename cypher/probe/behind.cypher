// What is behind a score of probe edge
// A picture: people with either value and their edge to it, the object where they have it, and their edges of one more relation.
// Those who have the object come first. P21 stands for the type of the sensitive relation, P106 for that of the relation to the
// object.
// takes: $a string: key of the first value
// takes: $b string = null: key of the second value; every other one where null
// takes: $object string: key of the object
// takes: $relation string = null: type of one more relation of the people; none where null
// takes: $inverse bool = false: the sensitive relation leads from the value to the person
// takes: $object_inverse bool = false: the other relation leads from the object to the person
// takes: $source string = null: name of the source, every source where null
// takes: $limit int = 10: how many people of each value, and how many edges of one more relation each, at most
// returns: path path: a person with a value, the object or a neighbour
CALL () {
  MATCH (value:Entity)
  WHERE value.key IN [$a, $b]
  RETURN value
  UNION
  WITH $b AS b
  WHERE b IS NULL
  MATCH (value:Entity)-[r:P21]-(:Entity)
  WHERE value.key <> $a AND (startNode(r) = value) = $inverse AND r.source = coalesce($source, r.source)
  RETURN value
}
CALL (value) {
  CALL (value) {
    MATCH of_value = (value)-[r:P21]-(person:Entity)
    WHERE (startNode(r) = value) = $inverse AND r.source = coalesce($source, r.source) AND EXISTS {
      MATCH (person)-[o:P106]-(object:Entity {key: $object})
      WHERE (startNode(o) = object) = $object_inverse AND o.source = coalesce($source, o.source)
    }
    RETURN of_value, person, true AS has_it
    LIMIT $limit
    UNION ALL
    MATCH of_value = (value)-[r:P21]-(person:Entity)
    WHERE (startNode(r) = value) = $inverse AND r.source = coalesce($source, r.source) AND NOT EXISTS {
      MATCH (person)-[o:P106]-(object:Entity {key: $object})
      WHERE (startNode(o) = object) = $object_inverse AND o.source = coalesce($source, o.source)
    }
    RETURN of_value, person, false AS has_it
    LIMIT $limit
  }
  RETURN of_value, person
  ORDER BY has_it DESC
  LIMIT $limit
}
CALL (of_value, person) {
  RETURN of_value AS path
  UNION
  MATCH path = (person)-[o:P106]-(object:Entity {key: $object})
  WHERE (startNode(o) = object) = $object_inverse AND o.source = coalesce($source, o.source)
  RETURN path
  UNION
  MATCH path = (person)-[more]-(:Entity)
  WHERE type(more) = $relation AND more.source = coalesce($source, more.source)
  RETURN path
  LIMIT $limit
}
RETURN path
