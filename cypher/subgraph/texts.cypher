// Texts of nodes
// The text of a concept, the name of an entity. Where there is neither, it is what stands last in the key.
// takes: $keys list<string> = []: keys of concepts and entities
// returns: key list<string>: those that are there
// returns: text list<string>: the text of each
// returns: unnamed int: how many have neither text nor name
UNWIND $keys AS key
MATCH (n:Concept|Entity {key: key})
RETURN collect(n.key) AS key, collect(coalesce(n.text, n.name, last(split(n.key, '/')))) AS text,
  count(CASE WHEN n.text IS NULL AND n.name IS NULL THEN 1 END) AS unnamed
