// Unlink sentences from targets that no longer list their term
// Not those whose targets are found in their text: link/sentence_targets sees to them.
// changes: targets
MATCH (s:Statement)-[a:ABOUT]->(t:Target)
WHERE s.searched IS NULL AND (NOT s.term IN t.names OR coalesce(s.language, 'en') <> coalesce(t.language, 'en'))
CALL (a) {
  DELETE a
} IN TRANSACTIONS OF 10000 ROWS
