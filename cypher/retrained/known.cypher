// Generated triples that a knowledge base has
// How many of the statements that a model generated with head, relation and tail are triples of two sources. Heads and tails
// are compared in the normal form of concepts: NFC, lower case, _ as a space, single spaces.
// takes: $source string: name of the source with what the model said
// takes: $first string: a knowledge base
// takes: $other string: another one, such as the first one filtered
// takes: $prefix string = 'en/': what a concept's key has before its text
// returns: statements int: generated statements with a relation
// returns: in_first int: of them, triples of the first
// returns: in_other int: of them, triples of the other
// returns: in_first_alone int: of them, triples of the first that the other lacks
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
WITH kind, [text IN triple | [word IN split(replace(toLower(normalize(text)), '_', ' '), ' ') WHERE word <> '']] AS ends
WITH kind, [words IN ends | normalize(substring(reduce(text = '', word IN words | text + ' ' + word), 1))] AS ends
OPTIONAL MATCH (h:Concept {key: $prefix + ends[0]})
OPTIONAL MATCH (t:Concept {key: $prefix + ends[1]})
WITH EXISTS { MATCH (h)-[r]->(t) WHERE type(r) = kind AND r.source = $first } AS first,
  EXISTS { MATCH (h)-[r]->(t) WHERE type(r) = kind AND r.source = $other } AS other
RETURN count(*) AS statements, count(CASE WHEN first THEN 1 END) AS in_first, count(CASE WHEN other THEN 1 END) AS in_other,
  count(CASE WHEN first AND NOT other THEN 1 END) AS in_first_alone
