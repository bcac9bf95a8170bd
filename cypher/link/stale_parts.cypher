// Unlink targets from parts that their list no longer names
// changes: targets
MATCH (t:Target)-[c:COMBINES]->(p:Target)
WHERE NOT any(part IN coalesce(t.parts, []) WHERE part IN p.names) OR coalesce(p.language, 'en') <> coalesce(t.language, 'en')
DELETE c
