// What a corpus of posts with frames holds
// What a corpus of posts with social bias frames contains: how many posts, groups and implied statements, and how often each
// variable is positive. A post is positive if the mean of its answers is at least one half.
// takes: $source string = null: name of the source; without it, all sources whose posts people annotated
// takes: $origin string = null: count only posts of this origin, such as Gab
// returns: what string: what is counted
// returns: n int: how many
// returns: of int|null: of how many
// returns: percent float|null: share
// returns: percent_low float|null: lower end of its 95 % interval
// returns: percent_high float|null: upper end
// returns: paper_n int|null: the count in the paper, on the whole corpus
// returns: paper_percent float|null: the share in the paper
// keys: what
// first: n percent of
// group: frames
// cites: Sap et al. 2020, tables 2 and 3; Wilson 1927
// empty: no post with a social bias frame: load some with 'harmgraph load sbic'
// of: posts
// for: readers
CALL () {
  MATCH (p:Post)
  WHERE p.source = coalesce($source, p.source) AND ($source IS NOT NULL OR p.predicted_by IS NULL) AND p.origin = coalesce($origin, p.origin)
  RETURN count(p) AS posts, sum(p.annotators) AS annotators
}
CALL () {
  MATCH (p:Post)-[r:IMPLIES]->(t:Target)
  WHERE p.source = coalesce($source, p.source) AND ($source IS NOT NULL OR p.predicted_by IS NULL) AND p.origin = coalesce($origin, p.origin)
  WITH p, t, r.group AS group, CASE WHEN r.text <> '' THEN r.text END AS text
  RETURN count(*) AS implications, count(DISTINCT p) AS with_group, count(DISTINCT CASE WHEN text IS NOT NULL THEN p END) AS with_text,
    count(DISTINCT group) AS groups, count(DISTINCT t) AS targets, count(DISTINCT text) AS texts, count(DISTINCT [p.key, group]) AS post_groups,
    count(DISTINCT CASE WHEN text IS NOT NULL THEN [p.key, group, text] END) AS whole,
    count(DISTINCT CASE WHEN text IS NOT NULL THEN [group, text] END) AS group_texts
}
CALL () {
  MATCH (p:Post)
  WHERE p.source = coalesce($source, p.source) AND ($source IS NOT NULL OR p.predicted_by IS NULL) AND p.origin = coalesce($origin, p.origin)
  UNWIND [[0, 'offensive', 44.8], [1, 'intent', 43.4], [2, 'lewd', 7.9], [3, 'group_targeted', 50.9], [4, 'in_group', 4.6]] AS variable
  WITH variable, p[variable[1]] AS mean, toFloat(coalesce(p[variable[1] + '_answers'], 0)) AS n
  WHERE mean IS NOT NULL
  WITH variable, count(*) AS m, count(CASE WHEN mean >= 0.5 THEN 1 END) AS k,
    sum(n) AS answers, sum(n * mean) AS yes, sum(n * n * mean * mean) AS yes_yes, sum(n * n * mean) AS yes_n, sum(n * n) AS n_n
  // Of answers the interval is that of a ratio over posts (linearised), since those about one post are alike.
  WITH *, CASE WHEN answers > 0 THEN yes / answers END AS p
  WITH *, CASE WHEN m > 1 THEN 1.959963984540054 * sqrt(abs(yes_yes - 2 * p * yes_n + p * p * n_n) * m / (m - 1.0)) / answers END AS half
  WITH variable, m, k, answers, yes, half, replace(variable[1], '_', ' ') AS name
  RETURN collect([20 + variable[0], name + ': posts', k, m, null, null, null]) AS shares_of_posts,
    collect(CASE WHEN answers > 0 THEN [30 + variable[0], name + ': answers', toInteger(round(yes)), toInteger(answers), half, null, variable[2]] END) AS shares_of_answers
}
WITH *
WHERE posts > 0
UNWIND [[1, 'posts', posts, null, null, 44671, null], [2, 'annotations of a post by a person', annotators, null, null, null, null],
  [3, 'implications', implications, null, null, null, null], [4, 'groups', groups, null, null, 1414, null],
  [5, 'targets of these groups', targets, null, null, null, null], [6, 'implied statements', texts, null, null, 32028, null],
  [7, 'post and group', post_groups, null, null, 48923, null], [8, 'post, group and statement', whole, null, null, 87942, null],
  [9, 'group and statement', group_texts, null, null, 34333, null], [10, 'posts with a group', with_group, posts, null, null, null],
  [11, 'posts with an implied statement', with_text, posts, null, null, null]] + shares_of_posts + shares_of_answers AS row
WITH row, row[2] AS k, row[3] AS m, row[4] AS half, toFloat(row[2]) / row[3] AS p, 1.959963984540054 AS z, 1.959963984540054 ^ 2 AS z2
WITH row, k, m, p, CASE WHEN half IS NOT NULL THEN p - half WHEN k = 0 THEN 0.0 ELSE
    (p + z2 / (2 * m) - z * sqrt(p * (1 - p) / m + z2 / (4.0 * m * m))) / (1 + z2 / m) END AS low,
  CASE WHEN half IS NOT NULL THEN p + half WHEN k = m THEN 1.0 ELSE
    (p + z2 / (2 * m) + z * sqrt(p * (1 - p) / m + z2 / (4.0 * m * m))) / (1 + z2 / m) END AS high
RETURN row[1] AS what, k AS n, m AS of, 100 * p AS percent, CASE WHEN m IS NULL THEN null WHEN low < 0 THEN 0.0 ELSE 100 * low END AS percent_low,
  CASE WHEN m IS NULL THEN null WHEN high > 1 THEN 100.0 ELSE 100 * high END AS percent_high, row[5] AS paper_n, row[6] AS paper_percent
ORDER BY row[0]
