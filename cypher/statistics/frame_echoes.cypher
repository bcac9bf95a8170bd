// Stereotypes that a knowledge base states
// Which stereotypes a knowledge base states as facts: what posts imply about a target, and it says of the target word for word.
// From an implied statement it takes what follows the name of the group. It compares this with a sentence about the target, or with
// the other end of a triple in either direction. Articles, forms of be, have, do and can, marks, capitals and a last plural s are
// ignored.
// takes: $source string: source of the posts
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the sources
// takes: $other string: the knowledge base
// takes: $category string = null: one category of targets, all unless given
// takes: $denials list<string> = ['ANTONYM', 'DISTINCT_FROM', 'NOT_CAPABLE_OF', 'NOT_DESIRES', 'NOT_HAS_A', 'NOT_HAS_PROPERTY', 'NOT_IS_A', 'NOT_MADE_OF', 'NOT_USED_FOR']: relations that say the opposite, which are left out
// takes: $limit int = 50: at most this many rows
// returns: target string: name of the target
// returns: implied string: the implied statement, as it is written most often
// returns: statements list<string>: the statements of the knowledge base
// returns: posts int: posts that imply it
// returns: annotators int: annotators who say so, 0 where the file or a model names none
// returns: of int: pairs of a target that the knowledge base names and an implied statement
// returns: echoed int: those that it makes too
// returns: percent float: their share
// returns: percent_low float: lower end of its 95 % interval
// returns: percent_high float: upper end
// keys: target implied
// first: posts statements annotators
// group: frames
// cites: Sap et al. 2020, section 1; Mehrabi et al. 2021, section 1; Wilson 1927
// empty: the knowledge base makes none of the implied statements
// of: posts
// for: readers
WITH ['a', 'an', 'the', 'is', 'are', 'was', 'were', 'be', 'been', 'have', 'has', 'do', 'does', 'can', 'all', 'folks', 'folk', 'people'] AS small
MATCH (t:Target)<-[r:IMPLIES]-(p:Post {source: $source})
WHERE r.text <> '' AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of IN [$source, $other]) } AND t.category = coalesce($category, t.category)
  AND (EXISTS { (t)<-[:NAMES]-(:Concept)-[x]-() WHERE x.source = $other } OR EXISTS { (t)<-[:ABOUT]-(:Statement {source: $other}) })
WITH small, t, r.group AS group, r.text AS text, collect(DISTINCT p.key) AS posts, collect(DISTINCT CASE WHEN r.annotator <> '' THEN r.annotator END) AS annotators
WITH t, text, posts, annotators, small + split(toLower(group), ' ') + reduce(names = [], name IN t.names | names + split(name, ' ')) AS dropped,
  [word IN split(toLower(reduce(text = text, mark IN ['.', ',', ';', '!', '?', '"'] | replace(text, mark, ' '))), ' ') WHERE word <> ''] AS words
WITH t, text, posts, annotators, words, [at IN range(0, size(words) - 1) WHERE NOT words[at] IN dropped][0] AS start
WHERE start IS NOT NULL
WITH t, text, posts, annotators, trim(reduce(rest = '', word IN words[start..] | rest + ' ' + word)) AS says
WITH t, text, posts, annotators, CASE WHEN says ENDS WITH 's' AND NOT says ENDS WITH 'ss' THEN left(says, size(says) - 1) ELSE says END AS says
ORDER BY size(posts) DESC, text
WITH t, says, collect(text)[0] AS implied, reduce(every = [], list IN collect(posts) | every + list) AS posts,
  reduce(every = [], list IN collect(annotators) | every + list) AS annotators
WITH t, collect({says: says, implied: implied, posts: COLLECT { UNWIND posts AS post RETURN DISTINCT post },
  annotators: COLLECT { UNWIND annotators AS person RETURN DISTINCT person }}) AS implications
CALL (t, implications) {
  CALL (t) {
    MATCH (t)<-[link:NAMES]-(:Concept)-[x]-(o:Concept)
    WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of IN [$source, $other]) AND coalesce(list.name IN link.lists, true) } AND x.source = $other AND NOT CASE type(x) WHEN 'PROPOSED' THEN x.assertion ELSE type(x) END IN $denials
    RETURN o.text AS text, startNode(x).text + ' ' + coalesce(COLLECT { MATCH (k:Relation {type: CASE type(x) WHEN 'PROPOSED' THEN x.assertion ELSE type(x) END}) RETURN k.name }[0], type(x)) + ' ' + endNode(x).text AS statement
    UNION
    MATCH (t)<-[:ABOUT]-(s:Statement {source: $other})
    RETURN s.text AS text, s.text AS statement
  }
  // What the subquery was given stays in reach. In the key of a row it would take its memory again for each row.
  WITH statement, ['a', 'an', 'the', 'is', 'are', 'was', 'were', 'be', 'been', 'have', 'has', 'do', 'does', 'can', 'all', 'folks', 'folk', 'people']
      + reduce(names = [], name IN t.names | names + split(name, ' ')) AS dropped,
    [word IN split(toLower(reduce(text = text, mark IN ['.', ',', ';', '!', '?', '"'] | replace(text, mark, ' '))), ' ') WHERE word <> ''] AS words
  WITH statement, words, [at IN range(0, size(words) - 1) WHERE NOT words[at] IN dropped][0] AS start
  WHERE start IS NOT NULL
  WITH statement, trim(reduce(rest = '', word IN words[start..] | rest + ' ' + word)) AS says
  WITH statement, CASE WHEN says ENDS WITH 's' AND NOT says ENDS WITH 'ss' THEN left(says, size(says) - 1) ELSE says END AS says
  WITH says, statement ORDER BY statement
  WITH says, collect(DISTINCT statement) AS statements
  UNWIND [made IN implications WHERE made.says = says] AS made
  RETURN collect({implied: made.implied, statements: statements, posts: made.posts, annotators: made.annotators}) AS echoes
}
WITH collect({target: t.name, echoes: echoes}) AS targets, sum(size(implications)) AS m, sum(size(echoes)) AS k
WHERE m > 0
WITH targets, k, m, toFloat(k) / m AS p, 1.959963984540054 AS z, 1.959963984540054 ^ 2 AS z2
UNWIND targets AS row
UNWIND row.echoes AS echo
RETURN row.target AS target, echo.implied AS implied, echo.statements AS statements, size(echo.posts) AS posts,
  size(echo.annotators) AS annotators, m AS of, k AS echoed, 100 * p AS percent,
  CASE k WHEN 0 THEN 0.0 ELSE 100 * (p + z2 / (2 * m) - z * sqrt(p * (1 - p) / m + z2 / (4.0 * m * m))) / (1 + z2 / m) END AS percent_low,
  CASE k WHEN m THEN 100.0 ELSE 100 * (p + z2 / (2 * m) + z * sqrt(p * (1 - p) / m + z2 / (4.0 * m * m))) / (1 + z2 / m) END AS percent_high
ORDER BY posts DESC, annotators DESC, target, implied
LIMIT $limit
