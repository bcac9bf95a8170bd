// Relations of a source
// By the names that language/triples gives them.
// takes: $source string: name of the source
// returns: relation string: the relation's own name
MATCH ()-[r]->()
WHERE r.source = $source
WITH DISTINCT type(r) AS kind, CASE type(r) WHEN 'PROPOSED' THEN r.relation END AS proposed
RETURN DISTINCT coalesce(proposed,
    COLLECT { MATCH (n:Relation {type: kind}) RETURN coalesce(n.own[0], n.name) }[0], kind) AS relation
ORDER BY relation
