// Lists of targets with what they hold
// returns: list string: name of the list
// returns: of string|null: the source that brings it, null for a list of the user's
// returns: digest string|null: the digest that stands
// returns: made_for string|null: options of its Source as JSON, which say for which source it was made
// returns: held list<map>: name, category, names, language and parts of each target
MATCH (list:TargetList)
OPTIONAL MATCH (s:Source {name: list.name})
CALL (list) {
  MATCH (list)-[:HOLDS]->(t:Target)
  WITH t ORDER BY t.name
  RETURN collect({name: t.name, category: t.category, names: t.names, language: coalesce(t.language, 'en'),
    parts: coalesce(t.parts, [])}) AS held
}
RETURN list.name AS list, list.of AS of, list.digest AS digest, s.options AS made_for, held
ORDER BY list
