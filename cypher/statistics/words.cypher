// What marks positive and negative statements
// Which words mark a target's positive and negative statements: the other end of a triple, the words of a sentence. The higher z, the
// surer a word belongs to its side. z compares its log odds there with those on the target's other side, in standard deviations. What is
// said of all targets is an informative Dirichlet prior. A word that is equally common on both sides leads neither; words below 0 are
// left out. Words beyond chance, with q at most 0.05, come first. q is by Fisher's exact test, two-sided, on the statements that contain
// a word. It is corrected for the number of words that could reach 0.05 at all (Benjamini and Hochberg 1995).
// takes: $target string: name of the target
// takes: $source string = null: name of the source, all sources unless given
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the source
// takes: $measure string = 'sentiment': harm measure
// takes: $label string = null: only positive or only negative, both unless given
// takes: $stop list<string> = ['a','about','after','all','also','an','and','any','are','as','at','be','been','but','by','can','for','from','had','has','have','he','her','his','how','i','if','in','into','is','it','its','many','may','more','most','much','no','not','of','often','on','one','or','other','our','out','person','she','some','such','than','that','the','their','them','then','there','these','they','this','those','to','up','use','was','we','were','what','when','where','which','while','who','will','with','would','you','your']: words of sentences to leave out
// takes: $prior float = null: weight of the prior in words; unless given, the number of words of the target's two sides
// takes: $limit int = 50: at most this many of each label
// returns: label string: positive or negative
// returns: word string: word or phrase
// returns: z float: how surely it belongs to this side, in standard deviations
// returns: n int: statements of this side that contain it
// returns: other_n int: statements of the target's other side that contain it
// returns: q float|null: probability of such a difference by chance, corrected for the number of words; null if the word is too rare to tell
// returns: all_n int: statements about any target that contain it, whatever their label
// returns: beyond int: words of both sides that are beyond chance
// returns: words int: words of both sides
// keys: label word
// first: z q n
// says: {beyond} of {words} words are beyond chance (q at most 0.05)
// group: words
// cites: Monroe, Colaresi and Quinn 2008, equations 15 to 22; Mehrabi et al. 2021, figure 12; Fisher 1935; Benjamini and Hochberg 1995
// for: readers
MATCH (t:Target {name: $target})
CALL (t) {
  // The statements of each side.
  MATCH (t)<-[:NAMES]-(:Concept)-[r]-(other)
  WHERE r.source = coalesce($source, r.source) AND other.text IS NOT NULL
  WITH DISTINCT r
  RETURN r[$measure] AS label
  UNION ALL
  MATCH (t)<-[:ABOUT]-(s:Statement)
  WHERE s.source = coalesce($source, s.source)
  RETURN s[$measure] AS label
}
WITH t, count(CASE label WHEN 'positive' THEN 1 END) AS positive_n, count(CASE label WHEN 'negative' THEN 1 END) AS negative_n
CALL (t) {
  // All that is said of targets. Each concept that names one is expanded once.
  MATCH (every:Target)<-[link:NAMES]-(c:Concept)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(every) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT t, c
  WITH c, EXISTS { (c)-[link:NAMES]->(t) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } } AS named
  MATCH (c)-[r]-(other)
  WHERE r.source = coalesce($source, r.source) AND other.text IS NOT NULL
  RETURN other.text AS word, CASE WHEN named THEN r[$measure] END AS label, count(*) AS k
  UNION ALL
  MATCH (each:Target)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(each) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND s.source = coalesce($source, s.source)
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
WITH positive_n, negative_n, word, sum(k) AS all_n,
  sum(CASE label WHEN 'positive' THEN k ELSE 0 END) AS positive,
  sum(CASE label WHEN 'negative' THEN k ELSE 0 END) AS negative
// Of k statements that hold the word, x are positive: the logarithm of the chance of as many as there are, of most, of fewest.
WITH *, positive + negative AS k, positive_n + negative_n AS total
WITH *, CASE WHEN k < positive_n THEN k ELSE positive_n END AS most, CASE WHEN k > negative_n THEN k - negative_n ELSE 0 END AS fewest
WITH *, [x IN CASE k WHEN 0 THEN [] ELSE [positive, most, fewest] END | reduce(sum = 0.0, i IN range(0, k - 1) | sum - log(total - i)
  + CASE WHEN i < x THEN log(positive_n - i) + log(k - i) - log(x - i) ELSE log(negative_n - i + x) END)] AS chances
// The chances of x and more, and of x and fewer: one from the next by their ratio.
WITH *, exp(chances[0]) * reduce(sum = [1.0, 1.0], x IN range(positive, most - 1) |
    [sum[0] * (k - x) * (positive_n - x) / ((x + 1) * (negative_n - k + x + 1)),
     sum[1] + sum[0] * (k - x) * (positive_n - x) / ((x + 1) * (negative_n - k + x + 1))])[1] AS above,
  exp(chances[0]) * reduce(sum = [1.0, 1.0], x IN range(positive, fewest + 1, -1) |
    [sum[0] * x * (negative_n - k + x) / ((k - x + 1) * (positive_n - x + 1)),
     sum[1] + sum[0] * x * (negative_n - k + x) / ((k - x + 1) * (positive_n - x + 1))])[1] AS below
WITH word, all_n, positive, negative, k > 0 AS polarised,
  CASE WHEN k > 0 AND 2 * exp(CASE WHEN chances[1] < chances[2] THEN chances[1] ELSE chances[2] END) <= 0.05 THEN
    CASE WHEN 2 * above >= 1 AND 2 * below >= 1 THEN 1.0 WHEN above < below THEN 2 * above ELSE 2 * below END END AS p
WITH collect({word: word, all_n: all_n, positive: positive, negative: negative, p: p}) AS words, count(CASE WHEN polarised THEN 1 END) AS polarised,
  toFloat(sum(all_n)) AS size, sum(positive) AS positives, sum(negative) AS negatives
CALL (words) {
  // q of each p: the smallest of p m / place over this and the larger ones.
  UNWIND words AS one
  WITH one.p AS p, count(*) AS k
  WHERE p IS NOT NULL
  WITH p, k ORDER BY p
  WITH collect([p, k]) AS ps
  WITH ps, reduce(m = 0, pair IN ps | m + pair[1]) AS m,
    reduce(places = [], pair IN ps | places + [coalesce(places[-1], 0) + pair[1]]) AS places
  RETURN [at IN range(0, size(ps) - 1) | [ps[at][0], reduce(least = 1.0, j IN range(at, size(ps) - 1) |
    CASE WHEN ps[j][0] * m / places[j] < least THEN ps[j][0] * m / places[j] ELSE least END)]] AS corrected
}
WITH *, reduce(sum = 0, one IN words | sum + CASE WHEN [pair IN corrected WHERE pair[0] = one.p | pair[1]][0] <= 0.05 THEN 1 ELSE 0 END) AS beyond
WITH words, corrected, beyond, polarised, size, positives, negatives, toFloat(coalesce($prior, positives + negatives)) AS alpha0
UNWIND words AS one
UNWIND [['positive', one.positive, positives, one.negative, negatives], ['negative', one.negative, negatives, one.positive, positives]] AS side
WITH beyond, polarised, [pair IN corrected WHERE pair[0] = one.p | pair[1]][0] AS q, one.word AS word, one.all_n AS all_n, size, alpha0, alpha0 * one.all_n / size AS alpha,
  side[0] AS label, side[1] AS n, side[2] AS words_here, side[3] AS other_n, side[4] AS words_there
WHERE n > 0 AND label = coalesce($label, label)
WITH beyond, polarised, q, label, word, n, other_n, all_n, CASE WHEN all_n = size THEN 0.0 ELSE
  (log((n + alpha) / (words_here + alpha0 - n - alpha)) - log((other_n + alpha) / (words_there + alpha0 - other_n - alpha)))
  / sqrt(1 / (n + alpha) + 1 / (other_n + alpha)) END AS z
WHERE z >= 0
ORDER BY coalesce(q <= 0.05, false) DESC, z DESC, n DESC, word
WITH beyond, polarised, label, collect({word: word, z: z, n: n, other_n: other_n, q: q, all_n: all_n})[..$limit] AS rows
UNWIND rows AS row
RETURN label, row.word AS word, row.z AS z, row.n AS n, row.other_n AS other_n, row.q AS q, row.all_n AS all_n, beyond, polarised AS words
ORDER BY coalesce(row.q <= 0.05, false) DESC, label, z DESC, n DESC, word
