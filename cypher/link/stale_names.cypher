// Unlink concepts from targets that no longer list them
MATCH (c:Concept)-[n:NAMES]->(t:Target)
WHERE NOT c.text IN t.names OR c.language <> coalesce(t.language, 'en')
DELETE n
