// Tails that the edges around a head suggest
// Events within two hops of the head that are a tail of the relation elsewhere, those on most paths first. Of an event with many
// edges the first $most neighbours by key are followed. RELATED_TO stands for the relation's type.
// takes: $heads list<string>: keys of the heads
// takes: $most int = 50: neighbours that are followed of each event, and tails at most
// returns: head string: key of the head
// returns: tails list<string>: keys of the tails
UNWIND $heads AS head
MATCH (h:Concept {key: head})
CALL (h) {
  MATCH (h)-[a]-(m:Event)
  WHERE type(a) <> 'PROPOSED'
  WITH DISTINCT h, m
  ORDER BY m.key
  LIMIT $most
  CALL (m) {
    RETURN m AS t
    UNION
    MATCH (m)-[b]-(t:Event)
    WHERE type(b) <> 'PROPOSED'
    WITH DISTINCT t
    ORDER BY t.key
    LIMIT $most
    RETURN t
  }
  WITH h, t, count(*) AS paths
  WHERE t <> h AND EXISTS { (:Event)-[:RELATED_TO]->(t) }
  WITH t, paths
  ORDER BY paths DESC, t.key
  LIMIT $most
  RETURN collect(t.key) AS tails
}
RETURN head, tails
