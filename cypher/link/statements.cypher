// Link sentences to the targets that they are about
// A sentence is about a target where its annotated term is one of the target's names, in the language of the target's list.
// returns: links int: ABOUT relationships that are there afterwards
// changes: targets
MATCH (t:Target)
UNWIND t.names AS name
MATCH (s:Statement {term: name})
WHERE coalesce(s.language, 'en') = coalesce(t.language, 'en')
CALL (s, t) {
  MERGE (s)-[:ABOUT]->(t)
} IN TRANSACTIONS OF 10000 ROWS
RETURN count(*) AS links
