// The store
// Which database this is: the same however often the server starts, another in every other store.
// returns: store string: id of the database
CALL db.info() YIELD id
RETURN id AS store
