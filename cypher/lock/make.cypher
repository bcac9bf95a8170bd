// Make the lock's node
// It holds no fact; a transaction that has written to it keeps others waiting.
MERGE (:Lock {name: 'writer'})
