// Sentences
// Of all sources, from the store's own count.
// returns: statements int: sentences
MATCH (s:Statement)
RETURN count(s) AS statements
