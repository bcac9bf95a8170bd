// Wait for the indexes
// Returns when every index is online.
// takes: $seconds int = 300: longest wait
CALL db.awaitIndexes($seconds)
