// Titles of targets
// Lists that the first harmgraph loaded do not keep how they write a name; the normalised name takes its place.
MATCH (t:Target)
WHERE t.title IS NULL
CALL (t) {
  SET t.title = t.name
} IN TRANSACTIONS OF 2000 ROWS
