// Every node
// Labels and properties of all nodes, for the digest of a graph.
// returns: labels list<string>: labels
// returns: properties map: properties
MATCH (n)
RETURN labels(n) AS labels, properties(n) AS properties
