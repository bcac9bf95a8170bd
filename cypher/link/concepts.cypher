// Link concepts to the targets that they name
// A concept names a target where its whole text is one of the target's names.
// takes: $language string = 'en': language of the target lists
// returns: links int: NAMES relationships that are there afterwards
MATCH (t:Target)
UNWIND t.names AS name
MATCH (c:Concept {key: $language + '/' + name})
MERGE (c)-[n:NAMES]->(t)
RETURN count(n) AS links
