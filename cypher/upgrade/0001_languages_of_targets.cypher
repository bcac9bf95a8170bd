// Languages of targets
// Lists that the first harmgraph loaded do not say their language; they are English.
MATCH (t:Target)
WHERE t.language IS NULL
CALL (t) {
  SET t.language = 'en'
} IN TRANSACTIONS OF 2000 ROWS
