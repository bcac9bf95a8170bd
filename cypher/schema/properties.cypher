// Names of properties
// Those that the database knows, also where nothing has them any longer.
// returns: names list<string>: the names
CALL db.propertyKeys() YIELD propertyKey
RETURN collect(propertyKey) AS names
