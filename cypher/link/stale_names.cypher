// Unlink concepts from targets that no longer list them
// An event names a target by a part of its text, other concepts by all of it.
// changes: targets
MATCH (c:Concept)-[n:NAMES]->(t:Target)
WHERE c.language <> coalesce(t.language, 'en') OR (NOT c.text IN t.names
  AND NOT (c:Event AND any(name IN t.names WHERE ' ' + c.text + ' ' CONTAINS ' ' + name + ' ')))
DELETE n
