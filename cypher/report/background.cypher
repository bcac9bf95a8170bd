// Words of a source
// Everything that a source says of targets, whatever the label: the other end of a triple, the words of a sentence.
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $stop list<string>: words of sentences to leave out
// returns: word string: word or phrase
// returns: n int: statements about a target that it stands in
// cites: Monroe, Colaresi and Quinn 2008, section 3.5
CALL () {
  // Each concept that names a target is expanded once.
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  MATCH (c)-[r]-(other)
  WHERE r.source = $source AND other.text IS NOT NULL
  RETURN other.text AS word, count(*) AS k
  UNION ALL
  MATCH (s:Statement {source: $source})
  WHERE EXISTS { (s)-[:ABOUT]->(t:Target) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } }
  WITH split(
    reduce(text = toLower(coalesce(s.sentence, s.text)), mark IN ['.', ',', ';', ':', '!', '?', '"', '(', ')', '[', ']'] | replace(text, mark, ' ')),
    ' ') AS words
  CALL (words) {
    UNWIND words AS word
    WITH DISTINCT word
    WHERE size(word) > 1 AND NOT word IN $stop
    RETURN word
  }
  RETURN word, count(*) AS k
}
RETURN word, sum(k) AS n
ORDER BY word
