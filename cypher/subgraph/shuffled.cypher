// Triples, one relation's values dealt out anew
// Everyone gets the value of another person, $shift places further in the order of keys: each value stays as frequent as it
// was, and who has it is no longer related to anything else. A model that is trained on this is the control of a probe.
// takes: $relation string: relationship type whose values are shuffled: PEOPLE_PERSON_GENDER
// takes: $inverse bool = false: the relation leads from the value to the person
// takes: $shift int = 997: places; no multiple of the number of triples
// takes: $source string = null: name of the source, every source where null
// returns: head list: keys of the heads
// returns: relation list: relationship types
// returns: tail list: keys of the tails
// returns: split list: train, valid or test; empty where the source has no split
MATCH (h:Concept|Entity)-[r]->(t)
WHERE r.source = coalesce($source, r.source) AND type(r) <> $relation
RETURN collect(h.key) AS head, collect(type(r)) AS relation, collect(t.key) AS tail, collect(coalesce(r.split, '')) AS split
UNION ALL
MATCH (h:Concept|Entity)-[r]->(t)
WHERE r.source = coalesce($source, r.source) AND type(r) = $relation
WITH CASE WHEN $inverse THEN t.key ELSE h.key END AS person, CASE WHEN $inverse THEN h.key ELSE t.key END AS value,
  coalesce(r.split, '') AS split
ORDER BY person, value
WITH collect(person) AS people, collect(value) AS values, collect(split) AS split
WITH people, split, [at IN range(0, size(values) - 1) | values[(at + $shift) % size(values)]] AS values
RETURN CASE WHEN $inverse THEN values ELSE people END AS head, [one IN people | $relation] AS relation,
  CASE WHEN $inverse THEN people ELSE values END AS tail, split
