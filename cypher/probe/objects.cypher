// Objects and how many people of two groups have them
// Such as the professions, with the number of men and of women. P21 stands for the type of the sensitive relation, P106 for
// that of the relation to the objects. Without $b, count_b is of the people who have any value but $a; who has several
// values may count on both sides.
// takes: $a string: key of the first value
// takes: $b string = null: key of the second value; every other one where null
// takes: $min_count int = 20: fewest observations, of both sides together
// takes: $inverse bool = false: the sensitive relation leads from the value to the person
// takes: $object_inverse bool = false: the other relation leads from the object to the person
// takes: $source string = null: name of the source, every source where null
// takes: $split string = null: train, valid or test; all where null
// returns: entity string: key of the object
// returns: name string|null: its name
// returns: count_a int: people with $a who have it
// returns: count_b int: people on the other side who have it
// cites: Fisher et al. 2019, section 4
MATCH (object:Entity)-[o:P106]-(person:Entity)
WHERE (startNode(o) = object) = $object_inverse
  AND o.source = coalesce($source, o.source) AND ($split IS NULL OR o.split = $split)
WITH DISTINCT object, person
CALL (person) {
  MATCH (person)-[r:P21]-(value:Entity)
  WHERE (startNode(r) = value) = $inverse
    AND r.source = coalesce($source, r.source) AND ($split IS NULL OR r.split = $split)
  RETURN max(CASE WHEN value.key = $a THEN 1 ELSE 0 END) AS with_a,
    max(CASE WHEN value.key = $b OR ($b IS NULL AND value.key <> $a) THEN 1 ELSE 0 END) AS with_b
}
WITH object, coalesce(sum(with_a), 0) AS count_a, coalesce(sum(with_b), 0) AS count_b
WHERE count_a + count_b >= $min_count
RETURN object.key AS entity, object.name AS name, count_a, count_b
ORDER BY entity
