// Triples that name a target, for people to judge
// Each once, also where both ends name one.
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists, every target where null
// takes: $target string = null: name of the target, every target where null
// takes: $measure string = 'sentiment': harm measure of the scorer whose labels are told
// returns: id string: element id of the relationship
// returns: head string: text of the head
// returns: type string: relationship type; of a proposal the one that it would have
// returns: tail string: text of the tail
// returns: head_is_target bool: whether the head names a target
// returns: tail_is_target bool: whether the tail names a target
// returns: head_names list<string>: of an event, names of the targets that it names: they alone are masked
// returns: tail_names list<string>: likewise of the tail
// returns: targets list<string>: names of the targets
// returns: sentence string|null: the masked sentence that was scored
// returns: source string: the source
// returns: label string|null: the scorer's label
// returns: score float|null: the scorer's number
// returns: by string|null: the scorer and its version
MATCH (t:Target)<-[link:NAMES]-(c:Concept)
WHERE ($lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE list.name IN $lists AND list.name IN coalesce(link.lists, $lists) })
WITH DISTINCT c
MATCH (c)-[r]-(o)
WHERE r.source = coalesce($source, r.source)
WITH c, r, o, EXISTS { (o)-[link:NAMES]->(t:Target) WHERE $lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE list.name IN $lists AND list.name IN coalesce(link.lists, $lists) } } AS both, startNode(r) = c AS starts
WHERE NOT both OR starts
WITH r, both, starts, startNode(r) AS h, endNode(r) AS t,
  [(c)-[link:NAMES]->(x:Target) WHERE ($lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(x) WHERE list.name IN $lists AND list.name IN coalesce(link.lists, $lists) }) | x.name] + [(o)-[link:NAMES]->(x:Target) WHERE o <> c AND ($lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(x) WHERE list.name IN $lists AND list.name IN coalesce(link.lists, $lists) }) | x.name] AS targets
WHERE $target IS NULL OR $target IN targets
RETURN elementId(r) AS id, h.text AS head, CASE type(r) WHEN 'PROPOSED' THEN r.assertion ELSE type(r) END AS type, t.text AS tail,
  both OR starts AS head_is_target, both OR NOT starts AS tail_is_target,
  CASE WHEN h:Event THEN reduce(names = [], of IN [(h)-[link:NAMES]->(x:Target) WHERE ($lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(x) WHERE list.name IN $lists AND list.name IN coalesce(link.lists, $lists) }) | x.names] | names + of) ELSE [] END AS head_names,
  CASE WHEN t:Event THEN reduce(names = [], of IN [(t)-[link:NAMES]->(x:Target) WHERE ($lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(x) WHERE list.name IN $lists AND list.name IN coalesce(link.lists, $lists) }) | x.names] | names + of) ELSE [] END AS tail_names,
  targets, r.sentence AS sentence, r.source AS source,
  r[$measure] AS label, r[$measure + '_score'] AS score, r[$measure + '_by'] AS by
