// Targets
// The groups that can be harmed, with how many concepts, sentences and entities mean them.
// takes: $category string = null: one category, all where null
// takes: $limit int = 1000: how many at most
// returns: target string: name
// returns: category string: category
// returns: aliases list<string>: further names
// returns: concepts int: concepts that name it
// returns: statements int: sentences about it
// returns: source string: the list it comes from
// returns: entities int: entities that name it
// returns: language string: language of its names
// returns: parts list<string>: targets that it combines
// for: readers
MATCH (t:Target)
WHERE t.category = coalesce($category, t.category)
RETURN t.name AS target, t.category AS category, [name IN t.names WHERE name <> t.name] AS aliases,
  count { (t)<-[:NAMES]-(:Concept) } AS concepts, count { (t)<-[:ABOUT]-() } AS statements, t.source AS source,
  count { (t)<-[:NAMES]-(:Entity) } AS entities,
  coalesce(t.language, 'en') AS language, coalesce(t.parts, []) AS parts
ORDER BY category, target
LIMIT $limit
