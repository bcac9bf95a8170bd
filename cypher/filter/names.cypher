// Concepts and entities that name a target
// Whom a triple names is looked up here: reading it beside each triple fails where relationships are written meanwhile.
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// returns: key string: key of the node
// returns: is_concept bool: whether it is a Concept, not an Entity
// returns: targets list<string>: names of its targets
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
MATCH (n)-[named:NAMES]->(target:Target)<-[held:HOLDS]-(list:TargetList)
WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
WITH DISTINCT n, target ORDER BY target.name
RETURN n.key AS key, n:Concept AS is_concept, collect(target.name) AS targets
