// Words of several targets
// What stands in the positive and negative statements of each, as statistics/words gives it of one.
// takes: $targets list: names of the targets
// takes: $source string: name of the source
// takes: $measure string: harm measure
// takes: $stop list: words of sentences to leave out
// takes: $limit int = 40: how many of each target and label at the most
// returns: target string: name of the target
// returns: label string: positive or negative
// returns: word string: word or phrase
// returns: n int: statements that it stands in
// cites: Mehrabi et al. 2021, figure 12
UNWIND $targets AS target
CALL (target) {
  MATCH (:Target {name: target})<-[:NAMES]-(:Concept)-[r]-(other)
  WHERE r.source = $source AND r[$measure] IN ['positive', 'negative'] AND other.text IS NOT NULL
  WITH DISTINCT r, other
  RETURN r[$measure] AS label, other.text AS word
  UNION ALL
  MATCH (:Target {name: target})<-[:ABOUT]-(s:Statement)
  WHERE s.source = $source AND s[$measure] IN ['positive', 'negative']
  WITH s, s[$measure] AS label,
    reduce(text = toLower(s.sentence), mark IN ['.', ',', ';', ':', '!', '?', '"', '(', ')', '[', ']'] | replace(text, mark, ' ')) AS text
  UNWIND split(text, ' ') AS word
  WITH DISTINCT s, label, word
  WHERE size(word) > 1 AND NOT word IN $stop
  RETURN label, word
}
WITH target, label, word, count(*) AS n
ORDER BY n DESC, word
WITH target, label, collect({word: word, n: n})[..$limit] AS rows
UNWIND rows AS row
RETURN target, label, row.word AS word, row.n AS n
ORDER BY target, label, n DESC, word
