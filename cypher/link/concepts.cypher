// Link concepts to the targets that they name
// A concept names a target where its whole text is one of the target's names, in the language of the target's list.
// returns: links int: NAMES relationships that are there afterwards
// changes: targets
MATCH (t:Target)
UNWIND t.names AS name
MATCH (c:Concept {key: coalesce(t.language, 'en') + '/' + name})
MERGE (c)-[n:NAMES]->(t)
RETURN count(n) AS links
