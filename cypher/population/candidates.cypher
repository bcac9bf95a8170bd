// Edges of an eventuality graph that table 15 names
// Each edge once: it makes candidates of several commonsense relations, of some along the edge and of others against it, which
// models/population/training_data/candidates.py knows. Types of edges that no rule names, such as CO_OCCURRENCE, are not scanned.
// takes: $graph string: name of the eventuality graph, such as aser
// returns: head string: text of the head
// returns: type string: relationship type
// returns: tail string: text of the tail
// cites: Fang et al. 2021, table 15
MATCH (h:Event)-[r:PRECEDENCE|SUCCESSION|SYNCHRONOUS|REASON|RESULT|CONDITION|CONCESSION|ALTERNATIVE|CONJUNCTION|RESTATEMENT]->(t:Event)
WHERE r.source = $graph
RETURN h.text AS head, type(r) AS type, t.text AS tail
