// Indexes
// Indexes of the database, those of its constraints included.
// returns: name string: name of the index, and of its constraint where it has one
SHOW INDEXES YIELD name
RETURN name
