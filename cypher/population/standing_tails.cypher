// Pairs that a relation joins already
// In a source, or as a proposal of another run than $request. RELATED_TO stands for the relation's type.
// takes: $heads list<string>: keys of the heads
// takes: $type string: the relation's type
// takes: $request string = '': id of the run that asks, whose own proposals do not count
// returns: head string: key of the head
// returns: tail string: key of the tail
UNWIND $heads AS head
MATCH (h:Concept {key: head})-[r:RELATED_TO|PROPOSED]->(t:Concept)
WHERE type(r) <> 'PROPOSED' OR (r.assertion = $type AND r.request <> $request)
RETURN DISTINCT head, t.key AS tail
