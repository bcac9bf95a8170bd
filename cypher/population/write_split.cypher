// Write the split of triples of events
// In transactions of its own, so it is run outside of any other.
// takes: $rows list = []: rows of [element id, train, valid or test; null removes the property]
UNWIND $rows AS row
CALL (row) {
  MATCH ()-[r]->()
  WHERE elementId(r) = row[0]
  SET r.population_split = row[1]
} IN TRANSACTIONS OF 10000 ROWS
