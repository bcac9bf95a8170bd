// Pairs that a relation joins already
// In a source, or as a proposal of one of some runs. RELATED_TO stands for the relation's type.
// takes: $heads list<string>: keys of the heads
// takes: $type string: the relation's type
// takes: $requests list<string> = []: ids of the runs whose proposals count
// returns: head string: key of the head
// returns: tail string: key of the tail
UNWIND $heads AS head
MATCH (h:Concept {key: head})-[r:RELATED_TO|PROPOSED]->(t:Concept)
WHERE type(r) <> 'PROPOSED' OR (r.assertion = $type AND r.request IN $requests)
RETURN DISTINCT head, t.key AS tail
