// State of the database
// Whether the database is open; asked of the database `system`.
// takes: $database string = 'neo4j': name of the database
// returns: state string: online where it is open
// returns: message string: why it could not be opened, empty where nothing failed
SHOW DATABASES YIELD name, currentStatus, statusMessage
WHERE name = $database
RETURN currentStatus AS state, statusMessage AS message
