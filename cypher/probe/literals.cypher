// Literals of people
// Such as the day of birth, which is a property of the entity.
// takes: $property string = 'P569': name of the property
// takes: $people list<string> = null: keys of the people, everyone where null
// takes: $source string = null: name of a source that they have a triple in, every source where null
// returns: person string: key
// returns: value string: its value as text
MATCH (person:Entity)
WHERE person[$property] IS NOT NULL AND ($people IS NULL OR person.key IN $people)
  AND EXISTS { (person)-[r]-() WHERE r.source = coalesce($source, r.source) }
RETURN person.key AS person, toString(person[$property]) AS value
ORDER BY person
