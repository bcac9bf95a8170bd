// Unlink sentences from targets that no list calls by their term any more
MATCH (s:Statement)-[about:ABOUT]->(t:Target)
WHERE coalesce(s.language, 'en') <> t.language OR NOT EXISTS { (:TargetList)-[held:HOLDS]->(t) WHERE s.term IN held.names }
CALL (about) {
  DELETE about
} IN TRANSACTIONS OF 10000 ROWS
