// Triples of a source per relation
// One pass over the triples of all sources: quicker than a statement for each type.
// takes: $source string: name of the source
// takes: $since int = 1: number of the newest import within its source
// returns: type string: relationship type
// returns: triples int: relationships
// returns: added int: those that the newest import brought
MATCH ()-[r]->()
WHERE r.source = $source
RETURN type(r) AS type, count(*) AS triples, count(CASE WHEN r.since = $since THEN 1 END) AS added
ORDER BY type
