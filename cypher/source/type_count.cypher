// Triples of one relation
// Of all sources, from the store's own count. RELATED_TO stands for the relation's type.
// returns: triples int: relationships
MATCH ()-[r:RELATED_TO]->()
RETURN count(r) AS triples
