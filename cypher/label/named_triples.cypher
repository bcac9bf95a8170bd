// Triples that name a target
// Each once, also where both ends name one.
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $by string = 'sentiment_by': property that says who labelled
// takes: $label string = 'sentiment': property of the label
// returns: id string: element id of the relationship
// returns: head string: text of the head
// returns: type string: relationship type; of a proposal the one that it would have
// returns: tail string: text of the tail
// returns: names list<list<string>>: names and aliases of the targets that it names, a list per target
// returns: sentence string|null: the sentence that was scored last
// returns: by string|null: who labelled it last
// returns: label string|null: its label
// returns: others list<string>: the like properties of other measures, which a new sentence makes stale
MATCH (t:Target)<-[link:NAMES]-(c:Concept)
WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
WITH c, collect(t.names) AS here
MATCH (c)-[r]-(o)
WHERE r.source = coalesce($source, r.source)
WITH c, r, here, [(o)-[link:NAMES]->(x:Target) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(x) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } | x.names] AS there, startNode(r) = c AS starts
WHERE starts OR size(there) = 0
WITH r, here + there AS names, startNode(r) AS h, endNode(r) AS t
RETURN elementId(r) AS id, h.text AS head, CASE type(r) WHEN 'PROPOSED' THEN r.assertion ELSE type(r) END AS type, t.text AS tail, names,
  r.sentence AS sentence, r[$by] AS by, r[$label] AS label,
  CASE WHEN r.sentence IS NULL THEN [] ELSE [name IN keys(r) WHERE name ENDS WITH '_by' AND name <> $by] END AS others
