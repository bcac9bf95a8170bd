// Every node
// Labels and properties of all nodes, for the digest of a graph. The version of its form (Schema) is not content.
// returns: labels list<string>: labels
// returns: properties map: properties
MATCH (n)
WHERE NOT n:Schema
RETURN labels(n) AS labels, properties(n) AS properties
