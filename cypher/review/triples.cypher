// Triples that name a target, for people to judge
// Each once, also where both ends name one.
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $target string = null: name of the target, every target where null
// takes: $measure string = 'sentiment': harm measure of the scorer whose labels are shown
// returns: id string: element id of the relationship
// returns: head string: text of the head
// returns: type string: relationship type; of a proposal the one that it would have
// returns: tail string: text of the tail
// returns: names list<list<string>>: names and aliases of the targets that it names, a list per target
// returns: targets list<string>: names of the targets
// returns: sentence string|null: the masked sentence that was scored
// returns: source string: the source
// returns: label string|null: the scorer's label
// returns: score float|null: the scorer's number
// returns: by string|null: the scorer and its version
MATCH (t:Target)<-[link:NAMES]-(c:Concept)
WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
WITH c, collect(t) AS here
MATCH (c)-[r]-(o)
WHERE r.source = coalesce($source, r.source)
WITH c, r, o, here, [(o)-[link:NAMES]->(x:Target) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(x) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } | x] AS there, startNode(r) = c AS starts
WHERE starts OR size(there) = 0
WITH r, here + CASE WHEN o = c THEN [] ELSE there END AS named, startNode(r) AS h, endNode(r) AS t
WITH r, h, t, [x IN named | x.names] AS names, [x IN named | x.name] AS targets
WHERE $target IS NULL OR $target IN targets
RETURN elementId(r) AS id, h.text AS head, CASE type(r) WHEN 'PROPOSED' THEN r.assertion ELSE type(r) END AS type, t.text AS tail, names,
  targets, r.sentence AS sentence, r.source AS source,
  r[$measure] AS label, r[$measure + '_score'] AS score, r[$measure + '_by'] AS by
