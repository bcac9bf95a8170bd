// Triples of events of a source
// Those of the 18 relations of Fang et al. 2021, table 11. They are the types in the pattern, so only these are scanned, and not
// the edges of an eventuality graph beside them.
// takes: $source string: name of the source
// returns: id string: element id of the relationship, valid while the graph is open
// returns: head string: text of the head
// returns: type string: relationship type
// returns: tail string: text of the tail
// returns: sentence string|null: of GLUCOSE: the sentence that the triple explains
// cites: Fang et al. 2021, table 11
MATCH (h:Event)-[r:X_EFFECT|X_WANT|X_REACT|X_ATTR|X_INTENT|X_NEED|X_REASON|O_EFFECT|O_WANT|O_REACT|G_EFFECT|G_WANT|G_REACT|IS_BEFORE|IS_AFTER|HINDERED_BY|CAUSES|HAS_SUB_EVENT]->(t:Event)
WHERE r.source = $source
RETURN elementId(r) AS id, h.text AS head, type(r) AS type, t.text AS tail, r.sentence_id AS sentence
