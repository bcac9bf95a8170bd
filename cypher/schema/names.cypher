// Names of what stands in the graph
// Sources, targets, their categories, and the harm measures that somebody labelled once; each list sorted.
// takes: $limit int = 20000: how many of each at most
// returns: sources list<string>: names of the sources
// returns: targets list<string>: names of the targets
// returns: categories list<string>: categories of the targets
// returns: measures list<string>: names of the harm measures
// returns: lists list<string>: names of the target lists
CALL () {
  MATCH (s:Source)
  WITH s.name AS name ORDER BY name LIMIT $limit
  RETURN collect(name) AS sources
}
CALL () {
  MATCH (t:Target)
  WITH t.name AS name ORDER BY name LIMIT $limit
  RETURN collect(name) AS targets
}
CALL () {
  MATCH (t:Target)
  WITH DISTINCT t.category AS name ORDER BY name LIMIT $limit
  RETURN collect(name) AS categories
}
CALL () {
  CALL db.propertyKeys() YIELD propertyKey
  WITH collect(propertyKey) AS keys
  UNWIND keys AS name
  WITH keys, name
  WHERE name + '_by' IN keys AND name + '_score' IN keys
  WITH name ORDER BY name LIMIT $limit
  RETURN collect(name) AS measures
}
CALL () {
  MATCH (list:TargetList)
  WITH list.name AS name ORDER BY name LIMIT $limit
  RETURN collect(name) AS lists
}
RETURN sources, targets, categories, measures, lists
