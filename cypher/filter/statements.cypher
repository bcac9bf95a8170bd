// Sentences with their labels and whom they are about
// takes: $source string: name of the source
// takes: $measures list<string> = ['sentiment']: harm measures
// returns: text string: the sentence
// returns: term string: the annotated topic
// returns: properties map: properties of the Statement
// returns: labels list<string|null>: its label of each measure, null where it has none
// returns: targets list<string>: names of the targets that it is about
MATCH (s:Statement {source: $source})
RETURN s.text AS text, s.term AS term, properties(s) AS properties, [measure IN $measures | s[measure]] AS labels,
  [(s)-[:ABOUT]->(target:Target) | target.name] AS targets
