// People and their values of a sensitive relation
// P21 stands for the relation's type.
// takes: $inverse bool = false: the relation leads from the value to the person
// takes: $source string = null: name of the source, every source where null
// takes: $split string = null: train, valid or test; all where null
// returns: person string: key
// returns: values list<string>: keys of the values
MATCH (value:Entity)-[r:P21]-(person:Entity)
WHERE (startNode(r) = value) = $inverse
  AND r.source = coalesce($source, r.source) AND ($split IS NULL OR r.split = $split)
RETURN person.key AS person, collect(DISTINCT value.key) AS values
ORDER BY person
