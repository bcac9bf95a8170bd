// Open a transaction that marks a run
// Reads nothing: the transaction it runs in is what tells others that a run is under way.
// returns: at datetime: the server's time
RETURN datetime() AS at
