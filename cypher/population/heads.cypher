// Events that are the head of a statement
// Proposals do not count. A target chooses the events that name it.
// takes: $lists list<string> = null: names of the target lists; all lists where null
// takes: $target string = null: name of a target, all events where null
// returns: key string: key of the event
CALL () {
  // The lists that are named, or all lists.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND list.kind = 'list'
  RETURN collect(list.name) AS lists
}
MATCH (h:Event)
WHERE ($target IS NULL OR EXISTS {
    MATCH (h)-[named:NAMES]->(:Target {name: $target})<-[held:HOLDS]-(list:TargetList)
    WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
  })
  AND EXISTS { MATCH (h)-[r]->(:Event) WHERE type(r) <> 'PROPOSED' }
RETURN h.key AS key
