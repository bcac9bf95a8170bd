// Sentences by their keys
// Findings as in findings/labelled, of keys that somebody chose.
// takes: $source string: name of the source
// takes: $measure string = 'sentiment': harm measure
// takes: $keys list<string>: keys
// returns: head string|null: key of the head; null for a sentence
// returns: type string|null: relationship type
// returns: tail string|null: key of the tail
// returns: relation string|null: the relation's own name
// returns: assertion string|null: the source's own id of the triple, empty where it has none
// returns: key string|null: key of a sentence; null for a triple
// returns: said string: head, the relation's own name and tail; or the sentence
// returns: sentence string|null: the text that was scored
// returns: label string|null: the label
// returns: score float|null: the scorer's number
// returns: by string|null: scorer and version
// returns: rank string|null: rank of a statement of Wikidata, null where it is normal
UNWIND $keys AS key
MATCH (s:Statement {key: key})
WHERE s.source = $source
RETURN null AS head, null AS type, null AS tail, null AS relation, null AS assertion, s.key AS key, s.text AS said,
  s.sentence AS sentence, s[$measure] AS label, s[$measure + '_score'] AS score, s[$measure + '_by'] AS by, null AS rank
