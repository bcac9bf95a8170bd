// Values of a sensitive relation
// How many people have each value. P21 stands for the relation's type.
// takes: $inverse bool = false: the relation leads from the value to the person
// takes: $source string = null: name of the source, every source where null
// takes: $split string = null: train, valid or test; all where null
// returns: entity string: key of the value
// returns: name string|null: its name
// returns: people int: people who have it
MATCH (value:Entity)-[r:P21]-(person:Entity)
WHERE (startNode(r) = value) = $inverse
  AND r.source = coalesce($source, r.source) AND ($split IS NULL OR r.split = $split)
RETURN value.key AS entity, value.name AS name, count(DISTINCT person) AS people
ORDER BY people DESC, entity
