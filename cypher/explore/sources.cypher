// Where it comes from
// The loaded knowledge bases: their nodes hold version, licence, files and counts. Everything in the graph names one.
// returns: source node: the source
// for: readers
MATCH (source:Source)
RETURN source
ORDER BY source.name
