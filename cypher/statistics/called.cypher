// Who is called a word or phrase
// Which targets a word or phrase is said of. The other end of a triple, or a sentence, contains it as whole words, in capitals or
// not. The target with the surest share comes first: its 95 % interval (Wilson 1927) begins highest.
// takes: $word string: word or phrase
// takes: $source string = null: name of the source, all sources unless given
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the source
// takes: $measure string = 'sentiment': harm measure
// takes: $category string = null: one category of targets, all unless given
// takes: $min_support int = 1: fewest statements that a target must have
// takes: $limit int = 50: at most this many targets
// takes: $examples int = 3: examples per target
// takes: $every bool = false: also targets of which nothing holds the word
// returns: target string: name of the target
// returns: said int: statements about it that hold the word
// returns: n int: statements about it
// returns: percent float: share of its statements that hold the word, in percent
// returns: percent_low float: lower end of its interval
// returns: percent_high float: upper end
// returns: negative int: of those that hold it, negative
// returns: positive int: positive
// returns: neutral int: neutral
// returns: without_label int: without a label of the measure
// returns: category string: category of the target
// returns: examples list<string>: statements that hold it, the most polarised first
// keys: target
// first: said percent n
// group: words
// tests: percent of n
// cites: Mehrabi et al. 2021, section 2.1; Wilson 1927
// empty: no statement about a target holds it
// for: readers
MATCH (t:Target)
WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND t.category = coalesce($category, t.category) AND trim($word) <> ''
CALL (t) {
  MATCH (t)<-[link:NAMES]-(:Concept)-[r]-(other)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND r.source = coalesce($source, r.source) AND other.text IS NOT NULL
  // A triple between two names of the target is one statement.
  WITH r, collect(other.text) AS texts
  WITH CASE WHEN any(text IN texts WHERE ' ' + toLower(text) + ' ' CONTAINS ' ' + toLower(trim($word)) + ' ') THEN r END AS r, count(*) AS k
  RETURN k, r IS NOT NULL AS holds, r[$measure] AS label, abs(r[$measure + '_score']) AS strength, startNode(r).text + ' '
    + coalesce(COLLECT { MATCH (kind:Relation {type: CASE type(r) WHEN 'PROPOSED' THEN r.assertion ELSE type(r) END}) RETURN kind.name }[0], type(r)) + ' ' + endNode(r).text AS statement
  UNION ALL
  MATCH (t)<-[:ABOUT]-(s:Statement)
  WHERE s.source = coalesce($source, s.source)
  // The masked sentence, where there is one: the target's own name does not count.
  WITH s, reduce(text = toLower(coalesce(s.sentence, s.text)), mark IN ['.', ',', ';', ':', '!', '?', '"', '(', ')', '[', ']'] | replace(text, mark, ' ')) AS text
  WITH CASE WHEN ' ' + text + ' ' CONTAINS ' ' + toLower(trim($word)) + ' ' THEN s END AS s, count(*) AS k
  RETURN k, s IS NOT NULL AS holds, s[$measure] AS label, abs(s[$measure + '_score']) AS strength, s.text AS statement
}
WITH t, k, holds, label, strength, statement
ORDER BY coalesce(strength, 0) DESC, statement
WITH t, toFloat(sum(k)) AS n, count(CASE WHEN holds THEN 1 END) AS said,
  count(CASE WHEN holds AND label = 'negative' THEN 1 END) AS negative,
  count(CASE WHEN holds AND label = 'positive' THEN 1 END) AS positive,
  count(CASE WHEN holds AND label = 'neutral' THEN 1 END) AS neutral,
  count(CASE WHEN holds AND label IS NULL THEN 1 END) AS without_label,
  collect(CASE WHEN holds THEN statement END)[..$examples] AS examples
WHERE (said > 0 OR $every) AND n >= $min_support
WITH *, said / n AS p, 1.959963984540054 AS z, 1.959963984540054 ^ 2 AS z2
RETURN t.name AS target, said, toInteger(n) AS n, 100 * p AS percent,
  CASE said WHEN 0 THEN 0.0 ELSE
    100 * (p + z2 / (2 * n) - z * sqrt(p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n) END AS percent_low,
  CASE said WHEN n THEN 100.0 ELSE
    100 * (p + z2 / (2 * n) + z * sqrt(p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n) END AS percent_high,
  negative, positive, neutral, without_label, t.category AS category, examples
ORDER BY percent_low DESC, said DESC, target
LIMIT $limit
