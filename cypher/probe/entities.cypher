// Entities of a key or a name
// takes: $keys list<string>: keys that may be meant
// takes: $term string: the name, normalised
// returns: entity string: key
// returns: name string|null: its name
CALL () {
  MATCH (e:Entity) WHERE e.key IN $keys RETURN e
  UNION
  MATCH (e:Entity) WHERE e.term = $term RETURN e
}
RETURN e.key AS entity, e.name AS name
ORDER BY entity
