// Events within two hops of an event
// Statements are followed in both directions, proposals are not.
// takes: $key string: key of the event
// returns: key string: key of an event
// returns: hops int: 0 for the event itself, 1 or 2
MATCH (c:Concept {key: $key})
WHERE c:Event
CALL (c) {
  RETURN c AS h, 0 AS hops
  UNION ALL
  MATCH (c)-[r]-(h:Event)
  WHERE type(r) <> 'PROPOSED'
  RETURN DISTINCT h, 1 AS hops
  UNION ALL
  MATCH (c)-[a]-(m:Event)
  WHERE type(a) <> 'PROPOSED'
  WITH DISTINCT m
  MATCH (m)-[b]-(h:Event)
  WHERE type(b) <> 'PROPOSED'
  RETURN DISTINCT h, 2 AS hops
}
RETURN h.key AS key, min(hops) AS hops
