// Words
// What marks a target's positive and negative statements: the other end of a triple, the words of a sentence. The higher z, the
// surer a word belongs to its side: its log odds there against those on the target's other side, in standard deviations, with
// what is said of all targets as an informative Dirichlet prior. A word as common on both sides leads neither; below 0 it is left out.
// takes: $target string: name of the target
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists, every target where null
// takes: $measure string = 'sentiment': harm measure
// takes: $label string = null: positive or negative only, both where null
// takes: $stop list<string> = ['a','about','after','all','also','an','and','any','are','as','at','be','been','but','by','can','for','from','had','has','have','he','her','his','how','i','if','in','into','is','it','its','many','may','more','most','much','no','not','of','often','on','one','or','other','our','out','person','she','some','such','than','that','the','their','them','then','there','these','they','this','those','to','up','use','was','we','were','what','when','where','which','while','who','will','with','would','you','your']: words of sentences to leave out
// takes: $prior float = null: weight of the prior in words, as many as the target's two sides hold where null
// takes: $limit int = 50: how many of each label at the most
// returns: label string: positive or negative
// returns: word string: word or phrase
// returns: z float: how surely it belongs to this side, in standard deviations
// returns: n int: statements of this side that it stands in
// returns: other_n int: statements of the target's other side that it stands in
// returns: all_n int: statements about any target that it stands in, whatever their label
// keys: label word
// first: z n
// cites: Monroe, Colaresi and Quinn 2008, equations 15 to 22; Mehrabi et al. 2021, figure 12
// for: readers
MATCH (t:Target {name: $target})
CALL (t) {
  // All that is said of targets. Each concept that names one is expanded once.
  MATCH (every:Target)<-[link:NAMES]-(c:Concept)
  WHERE ($lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(every) WHERE list.name IN $lists AND list.name IN coalesce(link.lists, $lists) })
  WITH DISTINCT t, c
  WITH c, EXISTS { (c)-[link:NAMES]->(t) WHERE $lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE list.name IN $lists AND list.name IN coalesce(link.lists, $lists) } } AS named
  MATCH (c)-[r]-(other)
  WHERE r.source = coalesce($source, r.source) AND other.text IS NOT NULL
  RETURN other.text AS word, CASE WHEN named THEN r[$measure] END AS label, count(*) AS k
  UNION ALL
  MATCH (each:Target)<-[:ABOUT]-(s:Statement)
  WHERE ($lists IS NULL OR EXISTS { (list:TargetList)-[:HOLDS]->(each) WHERE list.name IN $lists }) AND s.source = coalesce($source, s.source)
  WITH t, s, collect(each) AS about
  WITH CASE WHEN t IN about THEN s[$measure] END AS label, split(
    reduce(text = toLower(coalesce(s.sentence, s.text)), mark IN ['.', ',', ';', ':', '!', '?', '"', '(', ')', '[', ']'] | replace(text, mark, ' ')),
    ' ') AS words
  CALL (words) {
    UNWIND words AS word
    WITH DISTINCT word
    WHERE size(word) > 1 AND NOT word IN $stop
    RETURN word
  }
  RETURN word, label, count(*) AS k
}
WITH word, sum(k) AS all_n,
  sum(CASE label WHEN 'positive' THEN k ELSE 0 END) AS positive,
  sum(CASE label WHEN 'negative' THEN k ELSE 0 END) AS negative
WITH collect({word: word, all_n: all_n, positive: positive, negative: negative}) AS words,
  toFloat(sum(all_n)) AS size, sum(positive) AS positives, sum(negative) AS negatives
WITH words, size, positives, negatives, toFloat(coalesce($prior, positives + negatives)) AS alpha0
UNWIND words AS one
UNWIND [['positive', one.positive, positives, one.negative, negatives], ['negative', one.negative, negatives, one.positive, positives]] AS side
WITH one.word AS word, one.all_n AS all_n, size, alpha0, alpha0 * one.all_n / size AS alpha,
  side[0] AS label, side[1] AS n, side[2] AS words_here, side[3] AS other_n, side[4] AS words_there
WHERE n > 0 AND label = coalesce($label, label)
WITH label, word, n, other_n, all_n, CASE WHEN all_n = size THEN 0.0 ELSE
  (log((n + alpha) / (words_here + alpha0 - n - alpha)) - log((other_n + alpha) / (words_there + alpha0 - other_n - alpha)))
  / sqrt(1 / (n + alpha) + 1 / (other_n + alpha)) END AS z
WHERE z >= 0
ORDER BY z DESC, n DESC, word
WITH label, collect({word: word, z: z, n: n, other_n: other_n, all_n: all_n})[..$limit] AS rows
UNWIND rows AS row
RETURN label, row.word AS word, row.z AS z, row.n AS n, row.other_n AS other_n, row.all_n AS all_n
ORDER BY label, z DESC, n DESC, word
