// Groups in combination, against their parts
// Statements that name two targets at once, and groups that combine targets (black woman: black, woman), against what their parts
// let expect. Expected is the mean of the parts' rates, each over the statements that name neither the combination nor another part.
// Intervals are Wilson's (1927). Those of the excess are by the square-and-add method (Zou and Donner 2008).
// takes: $source string = null: name of the source, all sources unless given
// takes: $lists list<string> = null: names of target lists; unless given, those that were loaded, and the groups of the source
// takes: $measure string = 'sentiment': harm measure
// takes: $categories string = null: categories of the parts, with commas; unless given, any two different ones
// takes: $min_support int = 10: fewest statements of the combination, and of each part alone
// takes: $linked bool = false: leave out sentences that name the second target, or the group, by a word only
// returns: target string: name of the group, or the two names with a plus sign
// returns: way string: two names, or own group
// returns: n int: statements about the combination
// returns: o_plus float: O+ of the combination, percent
// returns: o_plus_low float: lower end of its interval
// returns: o_plus_high float: upper end
// returns: o_plus_expected float: mean of the parts' O+, percent
// returns: o_plus_excess float: O+ less what is expected
// returns: o_plus_excess_low float: lower end of its interval
// returns: o_plus_excess_high float: upper end
// returns: o_plus_p float: two-sided p of the excess, which agrees with its interval
// returns: o_plus_q float: p corrected for the number of rows (Benjamini and Hochberg 1995)
// returns: o_minus float: O- of the combination, percent
// returns: o_minus_low float: lower end of its interval
// returns: o_minus_high float: upper end
// returns: o_minus_expected float: mean of the parts' O-, percent
// returns: o_minus_excess float: O- less what is expected
// returns: o_minus_excess_low float: lower end of its interval
// returns: o_minus_excess_high float: upper end
// returns: o_minus_p float: two-sided p of the excess, which agrees with its interval
// returns: o_minus_q float: p corrected for the number of rows
// returns: parts list<string>: names of the parts
// returns: parts_n list<int>: statements of each part alone
// returns: parts_o_plus list<float>: O+ of each part alone, percent
// returns: parts_o_minus list<float>: O- of each part alone, percent
// returns: unlabelled int: statements about the combination that carry no label of the measure, counted in n
// keys: target way
// measures: source o_plus o_plus_excess o_minus o_minus_excess
// scope: target
// first: n o_minus o_minus_expected o_minus_excess o_minus_q o_plus o_plus_expected o_plus_excess o_plus_q
// group: rates
// tests: o_minus of n against parts_o_minus of parts_n
// tests: o_plus of n against parts_o_plus of parts_n
// cites: Mehrabi et al. 2021, equations 1 and 2; Crenshaw 1989; Zou and Donner 2008, Statistics in Medicine 27, 1693-1702
// empty: no two groups have this many statements together and each alone; ask for fewer with --min-support
// for: readers
CALL () {
  MATCH (list:TargetList)-[:HOLDS]->(t:Target)
  WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source)
  RETURN collect(DISTINCT list.name) AS lists, collect(DISTINCT t) AS held
}
CALL (lists, held) {
  WITH lists, held, [name IN split(coalesce($categories, ''), ',') WHERE trim(name) <> '' | trim(name)] AS chosen
  CALL (lists, held, chosen) {
    // Triples between a concept of the one and a concept of the other.
    MATCH (a:Target)<-[one:NAMES]-(:Concept)-[r]-(:Concept)-[two:NAMES]->(b:Target)
    WHERE a IN held AND (one.lists IS NULL OR any(name IN one.lists WHERE name IN lists)) AND b IN held AND (two.lists IS NULL OR any(name IN two.lists WHERE name IN lists)) AND a.name < b.name AND r.source = coalesce($source, r.source)
    RETURN a, b, elementId(r) AS statement, r[$measure] AS label, 1 AS of_a, 1 AS of_b
    UNION
    // Triples of an event that names both.
    MATCH (a:Target)<-[one:NAMES]-(c:Concept)-[two:NAMES]->(b:Target)
    WHERE a IN held AND (one.lists IS NULL OR any(name IN one.lists WHERE name IN lists)) AND b IN held AND (two.lists IS NULL OR any(name IN two.lists WHERE name IN lists)) AND a.name < b.name
    MATCH (c)-[r]-()
    WHERE r.source = coalesce($source, r.source)
    RETURN a, b, elementId(r) AS statement, r[$measure] AS label, 1 AS of_a, 1 AS of_b
    UNION
    // Sentences about both.
    MATCH (a:Target)<-[:ABOUT]-(s:Statement)-[:ABOUT]->(b:Target)
    WHERE a IN held AND b IN held AND a.name < b.name AND s.source = coalesce($source, s.source)
    RETURN a, b, elementId(s) AS statement, s[$measure] AS label, 1 AS of_a, 1 AS of_b
    UNION
    // Sentences about the one that hold a name of the other. Words and names meet in groups: each sentence is read once.
    WITH held, chosen
    WHERE NOT $linked
    CALL (held, chosen) {
      MATCH (a:Target)<-[:ABOUT]-(s:Statement)
      WHERE a IN held AND s.source = coalesce($source, s.source) AND (chosen = [] OR a.category IN chosen)
      WITH a, s, reduce(text = toLower(s.text), mark IN ['.', ',', ';', ':', '!', '?', '"', '\'', '’', '(', ')', '[', ']', '/'] | replace(text, mark, ' ')) AS text
      UNWIND split(text, ' ') AS word
      RETURN DISTINCT word, a, s, null AS b, null AS form, null AS combined
      UNION ALL
      MATCH (b:Target)
      WHERE b IN held
      WITH b, [(b)-[:COMBINES]->(p:Target) | p.name] AS combined
      UNWIND b.names AS name
      UNWIND CASE coalesce(b.language, 'en') WHEN 'en' THEN [name, name + 's', CASE
        WHEN name ENDS WITH 'man' AND NOT name ENDS WITH 'human' THEN left(name, size(name) - 3) + 'men'
        WHEN name ENDS WITH 'person' THEN left(name, size(name) - 6) + 'people'
        WHEN name ENDS WITH 'wife' THEN left(name, size(name) - 4) + 'wives'
        WHEN name ENDS WITH 'child' THEN name + 'ren'
        WHEN name =~ '.*[^aeiou]y' THEN left(name, size(name) - 1) + 'ies'
        WHEN name =~ '.*(s|x|z|ch|sh)' THEN name + 'es'
        ELSE name + 's' END] ELSE [name] END AS form
      RETURN DISTINCT split(form, ' ')[0] AS word, null AS a, null AS s, b, form, combined
    }
    WITH word, collect(CASE WHEN s IS NOT NULL THEN [a, s] END) AS said, collect(CASE WHEN b IS NOT NULL THEN [b, form, combined] END) AS called
    WHERE called <> []
    UNWIND called AS name
    UNWIND said AS sentence
    WITH sentence[0] AS a, sentence[1] AS s, name[0] AS b, name
    WHERE a <> b AND coalesce(s.language, 'en') = coalesce(b.language, 'en') AND (NOT name[1] CONTAINS ' ' OR ' '
      + reduce(text = toLower(s.text), mark IN ['.', ',', ';', ':', '!', '?', '"', '\'', '’', '(', ')', '[', ']', '/'] | replace(text, mark, ' '))
      + ' ' CONTAINS ' ' + name[1] + ' ')
    WITH a, s, name
    ORDER BY size(name[1]) DESC
    WITH a, s, collect(name) AS names
    // The longest first, as they are masked: south african is not african, nor is american in african american. The parts of a
    // group that combines them are meant by its name. Two spaces between words, so that names side by side share none.
    WITH a, s, names, CASE size(names) WHEN 1 THEN [names[0][1]] ELSE reduce(read = ['  ' + replace(
      reduce(text = toLower(s.text), mark IN ['.', ',', ';', ':', '!', '?', '"', '\'', '’', '(', ')', '[', ']', '/'] | replace(text, mark, ' '))
      , ' ', '  ') + '  '], name IN names | CASE WHEN read[0] CONTAINS ' ' + replace(name[1], ' ', '  ') + ' '
      THEN [replace(read[0], ' ' + replace(name[1], ' ', '  ') + ' ', ' | ')] + read[1..] + name[1] ELSE read END)[1..] END AS forms
    UNWIND [name IN names WHERE name[1] IN forms OR any(whole IN names WHERE whole[1] IN forms AND name[0].name IN whole[2]
      AND ' ' + whole[1] + ' ' CONTAINS ' ' + name[1] + ' ') | name[0]] AS b
    RETURN CASE WHEN a.name < b.name THEN a ELSE b END AS a, CASE WHEN a.name < b.name THEN b ELSE a END AS b, elementId(s) AS statement,
      s[$measure] AS label, CASE WHEN a.name < b.name THEN 1 ELSE 0 END AS of_a, CASE WHEN a.name < b.name THEN 0 ELSE 1 END AS of_b
  }
  // Whether a statement is about either by a link, or names it by a word only.
  WITH a, b, statement, label, max(of_a) AS of_a, max(of_b) AS of_b
  WITH a, b, collect({id: statement, label: label, of_a: of_a, of_b: of_b}) AS said
  RETURN collect({a: a, b: b, said: said}) AS pairs
}
CALL (lists, held, pairs) {
  WITH [name IN split(coalesce($categories, ''), ',') WHERE trim(name) <> '' | trim(name)] AS chosen
  UNWIND pairs AS pair
  WITH chosen, pair.a AS a, pair.b AS b, pair.said AS said, size(pair.said) AS n
  WHERE n >= $min_support AND CASE size(chosen) WHEN 0 THEN a.category <> b.category
    WHEN 1 THEN a.category = chosen[0] AND b.category = chosen[0]
    ELSE a.category <> b.category AND a.category IN chosen AND b.category IN chosen END
  // A name within the other, such as american in african american, and a part of a group are no second name.
    AND NOT EXISTS { (a)-[:COMBINES]-(b) }
    AND NOT any(x IN a.names WHERE any(y IN b.names WHERE ' ' + x + ' ' CONTAINS ' ' + y + ' ' OR ' ' + y + ' ' CONTAINS ' ' + x + ' '))
  RETURN a.name + ' + ' + b.name AS target, 'two names' AS way, said,
    [{part: a, shared: [s IN said WHERE s.of_a = 1]}, {part: b, shared: [s IN said WHERE s.of_b = 1]}] AS parts
  UNION ALL
  // Groups that combine targets: what is about them by a link, and sentences about a part that hold a name of theirs.
  WITH [name IN split(coalesce($categories, ''), ',') WHERE trim(name) <> '' | trim(name)] AS chosen
  MATCH (t:Target)-[:COMBINES]->(p:Target)
  WHERE t IN held AND p IN held
  // Pairs are in reach: in the key of a row they would take their memory again for each row.
  WITH chosen, t, p ORDER BY p.name
  WITH chosen, t, collect(p) AS parts
  WHERE size(parts) > 1 AND all(p IN parts WHERE chosen = [] OR p.category IN chosen)
  WITH t, parts, [pair IN pairs WHERE (pair.a = t OR pair.a IN parts) AND (pair.b = t OR pair.b IN parts)] AS within
  CALL (lists, t, within) {
    MATCH (t)<-[link:NAMES]-(:Concept)-[r]-()
    WHERE (link.lists IS NULL OR any(name IN link.lists WHERE name IN lists)) AND r.source = coalesce($source, r.source)
    RETURN elementId(r) AS id, r[$measure] AS label
    UNION
    MATCH (t)<-[:ABOUT]-(s:Statement)
    WHERE s.source = coalesce($source, s.source)
    RETURN elementId(s) AS id, s[$measure] AS label
    UNION
    UNWIND [pair IN within WHERE t IN [pair.a, pair.b]] AS pair
    UNWIND pair.said AS s
    RETURN s.id AS id, s.label AS label
  }
  WITH t, parts, within, collect({id: id, label: label}) AS said
  WHERE size(said) >= $min_support
  UNWIND parts AS p
  // What a part is alone is without the statements of the group, and without those of another part.
  CALL (p, within) {
    UNWIND [pair IN within WHERE p IN [pair.a, pair.b]] AS pair
    UNWIND [s IN pair.said WHERE CASE WHEN pair.a = p THEN s.of_a ELSE s.of_b END = 1] AS s
    WITH DISTINCT s.id AS id, s.label AS label
    RETURN collect({id: id, label: label}) AS shared
  }
  WITH t, said, p, shared ORDER BY p.name
  RETURN t.name AS target, 'own group' AS way, said, collect({part: p, shared: shared}) AS parts
}
WITH target, way, size(said) AS n, size([s IN said WHERE s.label = 'positive']) AS positive,
  size([s IN said WHERE s.label = 'negative']) AS negative, size([s IN said WHERE s.label IS NULL]) AS unlabelled,
  [part IN parts | {part: part.part, shared: [size(part.shared), size([s IN part.shared WHERE s.label = 'positive']),
    size([s IN part.shared WHERE s.label = 'negative'])]}] AS parts
// The statements of each part are counted once, however many combinations it is in.
UNWIND range(0, size(parts) - 1) AS at
WITH parts[at].part AS p, collect({target: target, way: way, n: n, positive: positive, negative: negative, unlabelled: unlabelled,
  at: at, shared: parts[at].shared}) AS uses
CALL (p) {
  CALL (p) {
    MATCH (p)<-[link:NAMES]-(:Concept)-[r]-()
    WHERE EXISTS { (list:TargetList)-[:HOLDS]->(p) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
      AND r.source = coalesce($source, r.source)
    WITH DISTINCT r
    RETURN r[$measure] AS label
    UNION ALL
    MATCH (p)<-[:ABOUT]-(s:Statement)
    WHERE s.source = coalesce($source, s.source)
    RETURN s[$measure] AS label
  }
  RETURN count(*) AS n, count(CASE label WHEN 'positive' THEN 1 END) AS positive, count(CASE label WHEN 'negative' THEN 1 END) AS negative
}
UNWIND uses AS use
WITH use, {name: p.name, n: n - use.shared[0], positive: positive - use.shared[1], negative: negative - use.shared[2]} AS part
ORDER BY use.at
WITH use.target AS target, use.way AS way, use.unlabelled AS unlabelled, {n: use.n, positive: use.positive, negative: use.negative} AS whole,
  collect(part) AS parts
WHERE all(part IN parts WHERE part.n >= $min_support AND part.n > 0)
// Wilson's interval of every rate: the combination's first, then those of its parts. O+ comes before O-.
WITH *, [whole] + parts AS groups, 1.959963984540054 ^ 2 AS z2
WITH *, [sign IN ['positive', 'negative'] | [g IN groups | 100.0 * g[sign] / g.n]] AS o,
  [sign IN ['positive', 'negative'] | [g IN groups | CASE g[sign] WHEN 0 THEN 0.0 ELSE 100 * (g[sign] + z2 / 2
    - sqrt(z2) * sqrt(toFloat(g[sign]) * (g.n - g[sign]) / g.n + z2 / 4)) / (g.n + z2) END]] AS low,
  [sign IN ['positive', 'negative'] | [g IN groups | CASE g[sign] WHEN g.n THEN 100.0 ELSE 100 * (g[sign] + z2 / 2
    + sqrt(z2) * sqrt(toFloat(g[sign]) * (g.n - g[sign]) / g.n + z2 / 4)) / (g.n + z2) END]] AS high
WITH *, [s IN [0, 1] | reduce(total = 0.0, x IN o[s][1..] | total + x) / size(parts)] AS expected
WITH *, [s IN [0, 1] | o[s][0] - expected[s]] AS excess,
  [s IN [0, 1] | sqrt((o[s][0] - low[s][0]) ^ 2 + reduce(total = 0.0, g IN range(1, size(parts)) | total + (high[s][g] - o[s][g]) ^ 2) / size(parts) ^ 2)] AS below,
  [s IN [0, 1] | sqrt((high[s][0] - o[s][0]) ^ 2 + reduce(total = 0.0, g IN range(1, size(parts)) | total + (o[s][g] - low[s][g]) ^ 2) / size(parts) ^ 2)] AS above
// p by the complementary error function, to seven digits (Press et al. 2007, section 6.2.2).
WITH *, [s IN [0, 1] | abs(excess[s]) * sqrt(z2 / 2) / CASE WHEN excess[s] > 0 THEN below[s] ELSE above[s] END] AS x
WITH *, [s IN [0, 1] | 1 / (1 + x[s] / 2)] AS t
WITH *, [s IN [0, 1] | CASE x[s] WHEN 0 THEN 1.0 ELSE t[s] * exp(-x[s] * x[s] - 1.26551223 + t[s] * (1.00002368 + t[s] * (0.37409196
  + t[s] * (0.09678418 + t[s] * (-0.18628806 + t[s] * (0.27886807 + t[s] * (-1.13520398 + t[s] * (1.48851587
  + t[s] * (-0.82215223 + t[s] * 0.17087277))))))))) END] AS p
ORDER BY p[0]
WITH collect({target: target, way: way, whole: whole, parts: parts, unlabelled: unlabelled, o: o, low: low, high: high, expected: expected,
  excess: excess, below: below, above: above, p: p}) AS rows
WITH rows, [row IN rows | row.p[0]] AS plus
UNWIND rows AS row
WITH plus, row
ORDER BY row.p[1]
WITH plus, collect(row) AS rows
WITH rows, [plus, [row IN rows | row.p[1]]] AS sorted
UNWIND rows AS row
WITH row, [s IN [0, 1] | reduce(least = 1.0, at IN range(0, size(sorted[s]) - 1) | CASE
  WHEN sorted[s][at] >= row.p[s] AND sorted[s][at] * size(sorted[s]) / (at + 1) < least THEN sorted[s][at] * size(sorted[s]) / (at + 1)
  ELSE least END)] AS q
RETURN row.target AS target, row.way AS way, row.whole.n AS n,
  row.o[0][0] AS o_plus, row.low[0][0] AS o_plus_low, row.high[0][0] AS o_plus_high, row.expected[0] AS o_plus_expected,
  row.excess[0] AS o_plus_excess, row.excess[0] - row.below[0] AS o_plus_excess_low, row.excess[0] + row.above[0] AS o_plus_excess_high,
  row.p[0] AS o_plus_p, q[0] AS o_plus_q,
  row.o[1][0] AS o_minus, row.low[1][0] AS o_minus_low, row.high[1][0] AS o_minus_high, row.expected[1] AS o_minus_expected,
  row.excess[1] AS o_minus_excess, row.excess[1] - row.below[1] AS o_minus_excess_low, row.excess[1] + row.above[1] AS o_minus_excess_high,
  row.p[1] AS o_minus_p, q[1] AS o_minus_q,
  [part IN row.parts | part.name] AS parts, [part IN row.parts | part.n] AS parts_n, row.o[0][1..] AS parts_o_plus, row.o[1][1..] AS parts_o_minus,
  row.unlabelled AS unlabelled
ORDER BY way, row.p[1], row.p[0], target
