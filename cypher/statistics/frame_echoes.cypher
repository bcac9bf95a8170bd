// Implied statements that a knowledge base makes
// What posts imply about a target and a knowledge base joins with it too, word for word: stereotypes that stand there as facts. Compared is
// what follows the name of the group, without articles, forms of be, have, do and can, marks, capitals and a last plural s, with the other
// end of a triple in either direction, or with a sentence about the target.
// takes: $source string: source of the posts
// takes: $other string: the knowledge base
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the sources, where null
// takes: $category string = null: one category of targets, all where null
// takes: $denials list<string> = ['ANTONYM', 'DISTINCT_FROM', 'NOT_CAPABLE_OF', 'NOT_DESIRES', 'NOT_HAS_A', 'NOT_HAS_PROPERTY', 'NOT_IS_A', 'NOT_MADE_OF', 'NOT_USED_FOR']: relations that say the opposite, which are left out
// takes: $limit int = 50: how many rows at most
// returns: target string: name of the target
// returns: implied string: the implied statement, as it is written most often
// returns: statements list<string>: the statements of the knowledge base
// returns: posts int: posts that imply it
// returns: annotators int: annotators who say so, 0 where the file or a model names none
// returns: of int: pairs of a target of which the knowledge base speaks and an implied statement
// returns: echoed int: those that it makes too
// returns: percent float: their share
// returns: percent_low float: lower end of its 95 % interval
// returns: percent_high float: upper end
// keys: target implied
// first: posts statements annotators
// cites: Sap et al. 2020, section 1; Mehrabi et al. 2021, section 1; Wilson 1927
// empty: the knowledge base makes none of the implied statements
// of: posts
// for: readers
CALL () {
  // The lists that are named, or all lists and the groups of the sources.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name IN [$source, $other])
  RETURN collect(list.name) AS lists
}
MATCH (group:Target)
WHERE EXISTS { (group)<-[:IMPLIES]-() }
CALL (group, lists) {
  // The target of one of the lists that the group is, or the group itself.
  OPTIONAL MATCH (group)-[listed:LISTED_AS]->(same:Target)
  WHERE any(name IN listed.lists WHERE name IN lists)
  WITH group, lists, listed, same ORDER BY listed.place, same.name LIMIT 1
  WITH lists, coalesce(same, group) AS t
  MATCH (list:TargetList)-[held:HOLDS]->(t)
  WHERE list.name IN lists
  WITH t, list, held ORDER BY list.kind DESC, list.place LIMIT 1
  RETURN t, held.category AS category, held.names AS names
}
WITH lists, t, category, names, collect(group) AS groups
WHERE category = coalesce($category, category)
CALL (lists, t) {
  MATCH (list:TargetList)-[held:HOLDS]->(t)
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists)
  RETURN collect(list.name) AS of
}
WITH t, of, names, groups
WHERE EXISTS { (t)<-[named:NAMES]-(:Concept)-[x]-() WHERE x.source = $other AND (named.lists IS NULL OR any(name IN named.lists WHERE name IN of)) }
  OR EXISTS { (t)<-[about:ABOUT]-(:Statement {source: $other}) WHERE about.lists IS NULL OR any(name IN about.lists WHERE name IN of) }
WITH t, of, names, groups, ['a', 'an', 'the', 'is', 'are', 'was', 'were', 'be', 'been', 'have', 'has', 'do', 'does', 'can', 'all', 'folks', 'folk', 'people'] AS small
UNWIND groups AS group
MATCH (group)<-[r:IMPLIES]-(p:Post {source: $source})
WHERE r.text <> ''
WITH small, t, of, names, r.group AS group, r.text AS text, collect(DISTINCT p.key) AS posts, collect(DISTINCT CASE WHEN r.annotator <> '' THEN r.annotator END) AS annotators
WITH t, of, names, text, posts, annotators, small + split(toLower(group), ' ') + reduce(words = [], name IN names | words + split(name, ' ')) AS dropped,
  [word IN split(toLower(reduce(text = text, mark IN ['.', ',', ';', '!', '?', '"'] | replace(text, mark, ' '))), ' ') WHERE word <> ''] AS words
WITH t, of, names, text, posts, annotators, words, [at IN range(0, size(words) - 1) WHERE NOT words[at] IN dropped][0] AS start
WHERE start IS NOT NULL
WITH t, of, names, text, posts, annotators, trim(reduce(rest = '', word IN words[start..] | rest + ' ' + word)) AS says
WITH t, of, names, text, posts, annotators, CASE WHEN says ENDS WITH 's' AND NOT says ENDS WITH 'ss' THEN left(says, size(says) - 1) ELSE says END AS says
ORDER BY size(posts) DESC, text
WITH t, of, names, says, collect(text)[0] AS implied, reduce(every = [], list IN collect(posts) | every + list) AS posts,
  reduce(every = [], list IN collect(annotators) | every + list) AS annotators
WITH t, of, names, collect({says: says, implied: implied, posts: COLLECT { UNWIND posts AS post RETURN DISTINCT post },
  annotators: COLLECT { UNWIND annotators AS person RETURN DISTINCT person }}) AS implications
CALL (t, of, names, implications) {
  CALL (t, of) {
    MATCH (t)<-[named:NAMES]-(:Concept)-[x]-(o:Concept)
    WHERE (named.lists IS NULL OR any(name IN named.lists WHERE name IN of)) AND x.source = $other AND NOT CASE type(x) WHEN 'PROPOSED' THEN x.assertion ELSE type(x) END IN $denials
    RETURN o.text AS text, startNode(x).text + ' ' + coalesce(COLLECT { MATCH (k:Relation {type: CASE type(x) WHEN 'PROPOSED' THEN x.assertion ELSE type(x) END}) RETURN k.name }[0], type(x)) + ' ' + endNode(x).text AS statement
    UNION
    MATCH (t)<-[about:ABOUT]-(s:Statement {source: $other})
    WHERE about.lists IS NULL OR any(name IN about.lists WHERE name IN of)
    RETURN s.text AS text, s.text AS statement
  }
  WITH implications, names, statement, ['a', 'an', 'the', 'is', 'are', 'was', 'were', 'be', 'been', 'have', 'has', 'do', 'does', 'can', 'all', 'folks', 'folk', 'people']
      + reduce(words = [], name IN names | words + split(name, ' ')) AS dropped,
    [word IN split(toLower(reduce(text = text, mark IN ['.', ',', ';', '!', '?', '"'] | replace(text, mark, ' '))), ' ') WHERE word <> ''] AS words
  WITH implications, statement, words, [at IN range(0, size(words) - 1) WHERE NOT words[at] IN dropped][0] AS start
  WHERE start IS NOT NULL
  WITH implications, statement, trim(reduce(rest = '', word IN words[start..] | rest + ' ' + word)) AS says
  WITH implications, statement, CASE WHEN says ENDS WITH 's' AND NOT says ENDS WITH 'ss' THEN left(says, size(says) - 1) ELSE says END AS says
  WITH implications, says, statement ORDER BY statement
  WITH implications, says, collect(DISTINCT statement) AS statements
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
