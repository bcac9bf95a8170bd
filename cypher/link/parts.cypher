// Link targets to the targets that they combine
// A part is a name or alias of a target whose list is of the same language: black woman combines black and woman.
// returns: links int: COMBINES relationships that are there afterwards
MATCH (t:Target)
WHERE t.parts IS NOT NULL
UNWIND t.parts AS part
MATCH (p:Target)
WHERE part IN p.names AND p <> t AND coalesce(p.language, 'en') = coalesce(t.language, 'en')
MERGE (t)-[c:COMBINES]->(p)
RETURN count(DISTINCT c) AS links
