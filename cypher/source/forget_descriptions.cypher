// Forget how a source described entities
// takes: $source string: name of the source
MATCH (e:Entity {described_by: $source})
CALL (e) {
  FOREACH (name IN e.described | SET e[name] = null)
  SET e.described_by = null, e.described = null
} IN TRANSACTIONS OF 10000 ROWS
