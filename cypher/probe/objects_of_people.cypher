// Objects and how many of some people have them
// Such as the professions of those born before a day and of those born after. P106 stands for the type of the relation.
// takes: $people_a list<string>: keys of the people on the first side
// takes: $people_b list<string>: keys of those on the second side
// takes: $min_count int = 20: fewest observations, of both sides together
// takes: $object_inverse bool = false: the relation leads from the object to the person
// takes: $source string = null: name of the source, every source where null
// takes: $split string = null: train, valid or test; all where null
// returns: entity string: key of the object
// returns: name string|null: its name
// returns: count_a int: people of the first side who have it
// returns: count_b int: people of the second side who have it
MATCH (object:Entity)-[o:P106]-(person:Entity)
WHERE (startNode(o) = object) = $object_inverse
  AND o.source = coalesce($source, o.source) AND ($split IS NULL OR o.split = $split)
WITH DISTINCT object, person
WITH object, sum(CASE WHEN person.key IN $people_a THEN 1 ELSE 0 END) AS count_a,
  sum(CASE WHEN person.key IN $people_b THEN 1 ELSE 0 END) AS count_b
WHERE count_a + count_b >= $min_count AND count_a + count_b > 0
RETURN object.key AS entity, object.name AS name, count_a, count_b
ORDER BY entity
