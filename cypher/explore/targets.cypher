// Targets
// The groups that can be harmed, with how many concepts, sentences and entities mean them.
// takes: $lists list<string> = null: names of the target lists; all lists where null
// takes: $category string = null: one category, all where null
// takes: $limit int = 1000: how many at most
// returns: target string: name
// returns: category string: category
// returns: aliases list<string>: further names
// returns: concepts int: concepts that name it
// returns: statements int: sentences about it
// returns: lists list<string>: the lists that hold it
// returns: entities int: entities that name it
// returns: language string: language of its names
// returns: parts list<string>: targets that it combines
// for: readers
CALL () {
  // The lists that are named, or all lists.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND list.kind = 'list'
  RETURN collect(list.name) AS lists
}
MATCH (list:TargetList)-[held:HOLDS]->(t:Target)
WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists)
WITH t, list, held ORDER BY list.place
WITH t, collect(list.name) AS of, collect(held) AS held
WITH t, of, held[0].category AS category, reduce(every = [], one IN held | every + [name IN one.names WHERE NOT name IN every]) AS names,
  reduce(every = [], one IN held | every + [part IN coalesce(one.parts, []) WHERE NOT part IN every]) AS parts
WHERE category = coalesce($category, category)
RETURN t.name AS target, category, [name IN names WHERE name <> t.name] AS aliases,
  COUNT { (t)<-[named:NAMES]-(:Concept) WHERE named.lists IS NULL OR any(name IN named.lists WHERE name IN of) } AS concepts,
  COUNT { (t)<-[about:ABOUT]-() WHERE about.lists IS NULL OR any(name IN about.lists WHERE name IN of) } AS statements,
  of AS lists,
  COUNT { (t)<-[named:NAMES]-(:Entity) WHERE named.lists IS NULL OR any(name IN named.lists WHERE name IN of) } AS entities,
  t.language AS language, parts
ORDER BY category, target
LIMIT $limit
