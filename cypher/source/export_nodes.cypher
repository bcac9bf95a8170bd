// Nodes of a source
// Every end of a triple of the source, once, with how many of its triples begin and end there.
// takes: $source string: name of the source
// returns: key string: key of the node
// returns: text string: its text, or its name
// returns: labels list<string>: its labels
// returns: language string|null: language code
// returns: outgoing int: triples of the source that begin there
// returns: incoming int: triples of the source that end there
MATCH (h)-[r]->(t)
WHERE r.source = $source
UNWIND [[h, 1, 0], [t, 0, 1]] AS end
WITH end[0] AS node, sum(end[1]) AS outgoing, sum(end[2]) AS incoming
RETURN coalesce(node.key, node.name) AS key, coalesce(node.text, node.name, '') AS text, labels(node) AS labels, node.language AS language, outgoing, incoming
