// What the graph is at the moment
// Beside the number of the last transaction, which a restored copy may have too: the store, its size, and what is loaded.
// returns: store string: id of the database
// returns: nodes int: nodes of every label
// returns: relationships int: relationships of every type
// returns: sources list: of each source its name, state, import id and time
CALL db.info() YIELD id
CALL () {
  MATCH (n)
  RETURN count(n) AS nodes
}
CALL () {
  MATCH ()-[r]->()
  RETURN count(r) AS relationships
}
CALL () {
  MATCH (s:Source)
  WITH s ORDER BY s.name
  RETURN collect([s.name, s.state, s.import_id, toString(s.imported_at)]) AS sources
}
RETURN id AS store, nodes, relationships, sources
