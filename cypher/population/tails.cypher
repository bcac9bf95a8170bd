// Events that are the tail of a relation
// RELATED_TO stands for the relation's type.
// returns: key string: key of the event
MATCH (:Event)-[r:RELATED_TO]->(t:Event)
RETURN DISTINCT t.key AS key
