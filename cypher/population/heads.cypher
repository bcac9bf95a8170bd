// Events that are the head of a statement
// Proposals do not count. A target chooses the events that name it.
// takes: $target string = null: name of a target, all events where null
// returns: key string: key of the event
MATCH (h:Event)
WHERE ($target IS NULL OR EXISTS { (h)-[:NAMES]->(:Target {name: $target}) })
  AND EXISTS { MATCH (h)-[r]->(:Event) WHERE type(r) <> 'PROPOSED' }
RETURN h.key AS key
