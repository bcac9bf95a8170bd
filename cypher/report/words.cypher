// Words of several targets
// How many of the positive and negative statements of each hold a word: the counts of statistics/words.
// takes: $targets list<string>: names of the targets
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $measure string: harm measure
// takes: $stop list<string>: words of sentences to leave out
// returns: target string: name of the target
// returns: label string: positive or negative
// returns: word string: word or phrase
// returns: n int: statements that it stands in
// cites: Mehrabi et al. 2021, figure 12
UNWIND $targets AS target
CALL (target) {
  MATCH (t:Target {name: target})<-[link:NAMES]-(:Concept)-[r]-(other)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND r.source = $source AND r[$measure] IN ['positive', 'negative'] AND other.text IS NOT NULL
  WITH DISTINCT r, other
  RETURN r[$measure] AS label, other.text AS word
  UNION ALL
  MATCH (t:Target {name: target})<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND s.source = $source AND s[$measure] IN ['positive', 'negative']
  WITH s, s[$measure] AS label,
    reduce(text = toLower(s.sentence), mark IN ['.', ',', ';', ':', '!', '?', '"', '(', ')', '[', ']'] | replace(text, mark, ' ')) AS text
  UNWIND split(text, ' ') AS word
  WITH DISTINCT s, label, word
  WHERE size(word) > 1 AND NOT word IN $stop
  RETURN label, word
}
RETURN target, label, word, count(*) AS n
ORDER BY target, label, n DESC, word
