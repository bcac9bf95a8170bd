// Link targets to the targets that they combine
// A part is a name or alias of a target whose list is of the same language: black woman combines black and woman.
// returns: links int: COMBINES relationships that are there afterwards
MATCH (:TargetList)-[held:HOLDS]->(t:Target)
WHERE held.parts IS NOT NULL
UNWIND held.parts AS part
MATCH (:TargetList)-[also:HOLDS]->(p:Target)
WHERE part IN also.names AND p <> t AND p.language = t.language
MERGE (t)-[c:COMBINES]->(p)
RETURN count(DISTINCT c) AS links
