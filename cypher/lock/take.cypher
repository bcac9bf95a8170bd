// Take the lock
// Holds until the transaction ends; meant to be rolled back.
MATCH (lock:Lock {name: 'writer'})
SET lock.held = true
