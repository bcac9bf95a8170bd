// Generated triples that a source has
// How many of the statements that a model generated with head, relation and tail are triples of a source, in all and by relation.
// Of a source that no model learnt from, it is the share of new triples that are known to be right. Heads and tails are compared in
// the normal form of concepts: NFC, lower case, _ as a space, single spaces.
// takes: $source string: the source with what a model said
// takes: $other string: the source in which its triples are looked up
// takes: $lacking string = null: count only triples that this source lacks, such as the first one filtered
// takes: $language string = 'en': language of the concepts
// returns: relation string: name of the relation, all for the sum
// returns: n int: generated statements with this relation
// returns: known int: those that are triples of the other source
// returns: percent float: their share
// returns: low float: lower end of its 95 % interval, of Wilson (1927)
// returns: high float: upper end
// keys: relation
// first: percent n
// group: models
// cites: Mehrabi et al. 2021, table 7; Wilson 1927
// for: readers
// empty: the first source has no statement with a relation: 'harmgraph language generate --into SOURCE' writes such statements
MATCH (s:Statement {source: $source})
WHERE s.relation IS NOT NULL
WITH s.relation AS relation, collect([s.head, s.tail]) AS triples
CALL (relation) {
  OPTIONAL MATCH (n:Relation)
  WHERE n.name = relation OR relation IN coalesce(n.own, [])
  RETURN n.type AS kind
  ORDER BY kind LIMIT 1
}
UNWIND triples AS triple
WITH relation, kind, [text IN triple | [word IN split(replace(toLower(normalize(text)), '_', ' '), ' ') WHERE word <> '']] AS ends
WITH relation, kind, [words IN ends | normalize(substring(reduce(text = '', word IN words | text + ' ' + word), 1))] AS ends
OPTIONAL MATCH (h:Concept {key: $language + '/' + ends[0]})
OPTIONAL MATCH (t:Concept {key: $language + '/' + ends[1]})
WITH relation, EXISTS { MATCH (h)-[r]->(t) WHERE type(r) = kind AND r.source = $other }
  AND ($lacking IS NULL OR NOT EXISTS { MATCH (h)-[r]->(t) WHERE type(r) = kind AND r.source = $lacking }) AS has
WITH relation, count(*) AS n, count(CASE WHEN has THEN 1 END) AS known
WITH collect({relation: relation, n: n, known: known}) AS rows, sum(n) AS n, sum(known) AS known
WHERE n > 0
UNWIND [{relation: 'all', n: n, known: known}] + rows AS row
WITH row, toFloat(row.known) / row.n AS p, 1.959963984540054 AS z, 1.959963984540054 ^ 2 AS z2
RETURN row.relation AS relation, row.n AS n, row.known AS known, 100 * p AS percent,
  CASE row.known WHEN 0 THEN 0.0 ELSE
    100 * (p + z2 / (2 * row.n) - z * sqrt(p * (1 - p) / row.n + z2 / (4 * row.n * row.n))) / (1 + z2 / row.n) END AS low,
  CASE row.known WHEN row.n THEN 100.0 ELSE
    100 * (p + z2 / (2 * row.n) + z * sqrt(p * (1 - p) / row.n + z2 / (4 * row.n * row.n))) / (1 + z2 / row.n) END AS high
ORDER BY relation <> 'all', n DESC, relation
