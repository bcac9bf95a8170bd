// Who has which object
// Such as the people of each profession. P106 stands for the type of the relation.
// takes: $objects list<string>: keys of the objects
// takes: $object_inverse bool = false: the relation leads from the object to the person
// takes: $source string = null: name of the source, every source where null
// takes: $split string = null: train, valid or test; all where null
// returns: entity string: key of the object
// returns: people list<string>: keys of the people
MATCH (object:Entity)-[o:P106]-(person:Entity)
WHERE object.key IN $objects AND (startNode(o) = object) = $object_inverse
  AND o.source = coalesce($source, o.source) AND ($split IS NULL OR o.split = $split)
RETURN object.key AS entity, collect(DISTINCT person.key) AS people
ORDER BY entity
