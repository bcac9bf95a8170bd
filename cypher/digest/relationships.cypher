// Every relationship
// Ends by their keys, type and properties of all relationships, for the digest of a graph.
// returns: start string: label and key of the start
// returns: type string: relationship type
// returns: end string: label and key of the end
// returns: properties map: properties
MATCH (a)-[r]->(b)
// The order of labels is that in which the store met them first, so Event and Post, which stand beside another, do not count.
RETURN [label IN labels(a) WHERE NOT label IN ['Event', 'Post']][0] + ' ' + coalesce(a.key, a.name, a.type, a.id) AS start, type(r) AS type,
  [label IN labels(b) WHERE NOT label IN ['Event', 'Post']][0] + ' ' + coalesce(b.key, b.name, b.type, b.id) AS end, properties(r) AS properties
