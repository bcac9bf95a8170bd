// Words of several targets
// How many of the positive and negative statements of each hold a word: the counts of statistics/words.
// takes: $targets list<string>: names of the targets
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measure string: harm measure
// takes: $stop list<string>: words of sentences to leave out
// returns: target string: name of the target
// returns: label string: positive or negative
// returns: word string: word or phrase
// returns: n int: statements that it stands in
// cites: Mehrabi et al. 2021, figure 12
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
UNWIND $targets AS target
CALL (lists, target) {
  MATCH (list:TargetList)-[held:HOLDS]->(t:Target {name: target})
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists)
  RETURN t, collect(list.name) AS of
}
CALL (t, of) {
  MATCH (t)<-[named:NAMES]-(:Concept)-[r]-(other)
  WHERE (named.lists IS NULL OR any(name IN named.lists WHERE name IN of)) AND r.source = $source AND r[$measure] IN ['positive', 'negative'] AND other.text IS NOT NULL
  WITH DISTINCT r, other
  RETURN r[$measure] AS label, other.text AS word
  UNION ALL
  MATCH (t)<-[about:ABOUT]-(s:Statement)
  WHERE (about.lists IS NULL OR any(name IN about.lists WHERE name IN of)) AND s.source = $source AND s[$measure] IN ['positive', 'negative']
  WITH s, s[$measure] AS label,
    reduce(text = toLower(s.sentence), mark IN ['.', ',', ';', ':', '!', '?', '"', '(', ')', '[', ']'] | replace(text, mark, ' ')) AS text
  UNWIND split(text, ' ') AS word
  WITH DISTINCT s, label, word
  WHERE size(word) > 1 AND NOT word IN $stop
  RETURN label, word
}
RETURN target, label, word, count(*) AS n
ORDER BY target, label, n DESC, word
