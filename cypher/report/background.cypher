// Words of a source
// What stands in all that a source says of targets, whatever the label: the other end of a triple, the words of a sentence.
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $stop list<string>: words of sentences to leave out
// returns: word string: word or phrase
// returns: n int: statements about a target that it stands in
// cites: Monroe, Colaresi and Quinn 2008, section 3.5
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
CALL (lists) {
  // Each concept that names a target is expanded once.
  MATCH (list:TargetList)-[held:HOLDS]->(:Target)<-[named:NAMES]-(c:Concept)
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
  WITH DISTINCT c
  MATCH (c)-[r]-(other)
  WHERE r.source = $source AND other.text IS NOT NULL
  RETURN other.text AS word, count(*) AS k
  UNION ALL
  MATCH (s:Statement {source: $source})
  WHERE EXISTS {
    MATCH (s)-[about:ABOUT]->(:Target)<-[held:HOLDS]-(list:TargetList)
    WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(about.lists, [list.name])
  }
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
