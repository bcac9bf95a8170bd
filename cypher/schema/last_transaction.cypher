// Last transaction
// Number of the last transaction that changed the database; the same number before and after means that nothing changed.
// takes: $database string = 'neo4j': name of the database
// returns: transaction int: its number
SHOW DATABASES YIELD name, lastCommittedTxn
WHERE name = $database
RETURN lastCommittedTxn AS transaction
