// Proposals of a model
// takes: $source string: source of the proposals, such as proposed:kb
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measure string = 'sentiment': harm measure
// takes: $accepted string = '': source of those that were accepted, which does not count as a source here
// returns: id string: element id of the relationship
// returns: head string: key of the head
// returns: tail string: key of the tail
// returns: relation string: the relation's own name
// returns: type string: the type that the relationship gets when it is accepted
// returns: score float: the model's score
// returns: model string: name of the model
// returns: request string: id of the run that proposed it
// returns: rejected bool: whether it was rejected
// returns: label string|null: its harm label
// returns: named bool: whether an end names a target
// returns: stands bool: whether both ends are in a statement of a source
// returns: known bool: whether a source has the triple
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
MATCH (h:Concept)-[r:PROPOSED]->(t:Concept)
WHERE r.source = $source
RETURN elementId(r) AS id, h.key AS head, t.key AS tail, r.relation AS relation, r.assertion AS type, r.score AS score,
  r.model AS model, r.request AS request, coalesce(r.rejected, false) AS rejected, r[$measure] AS label,
  EXISTS {
    MATCH (h)-[named:NAMES]->(:Target)<-[held:HOLDS]-(list:TargetList)
    WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
  } OR EXISTS {
    MATCH (t)-[named:NAMES]->(:Target)<-[held:HOLDS]-(list:TargetList)
    WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
  } AS named,
  EXISTS { MATCH (h)-[s]-(:Concept) WHERE type(s) <> 'PROPOSED' AND s.source <> $accepted }
    AND EXISTS { MATCH (t)-[s]-(:Concept) WHERE type(s) <> 'PROPOSED' AND s.source <> $accepted } AS stands,
  EXISTS { MATCH (h)-[s]->(t) WHERE type(s) = r.assertion AND s.source <> $accepted } AS known
ORDER BY score DESC, head, relation, tail
