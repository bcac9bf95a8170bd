// Concepts and entities that name a target
// Whom a triple names is looked up here: reading it beside each triple fails where relationships are written meanwhile.
// returns: key string: key of the node
// returns: is_concept bool: whether it is a Concept, not an Entity
// returns: targets list<string>: names of its targets
MATCH (n)-[:NAMES]->(target:Target)
WITH n, target ORDER BY target.name
RETURN n.key AS key, n:Concept AS is_concept, collect(target.name) AS targets
