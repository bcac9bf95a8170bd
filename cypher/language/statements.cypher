// Sentences of a source
// takes: $source string: name of the source
// returns: text string: the sentence
MATCH (s:Statement {source: $source})
RETURN s.text AS text
