// Unlink sentences from targets that no longer list their term
MATCH (s:Statement)-[a:ABOUT]->(t:Target)
WHERE NOT s.term IN t.names OR coalesce(s.language, 'en') <> coalesce(t.language, 'en')
CALL (a) {
  DELETE a
} IN TRANSACTIONS OF 10000 ROWS
