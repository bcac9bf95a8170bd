// Social bias frames
// What stands in a corpus of posts with social bias frames: how many posts, groups and implied statements, and how often each
// variable is positive. A post is positive where the mean of its answers is at least one half.
// takes: $source string = null: name of the source, every source where null
// takes: $origin string = null: only posts of one origin, such as Gab
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
// cites: Sap et al. 2020, tables 2 and 3; Wilson 1927
// empty: no post with a social bias frame: load some with 'harmgraph load sbic'
// for: readers
CALL () {
  MATCH (p:Post)
  WHERE p.source = coalesce($source, p.source) AND p.origin = coalesce($origin, p.origin)
  RETURN count(p) AS posts, sum(p.annotators) AS annotators,
    ['offensive', 'intent', 'lewd', 'group_targeted', 'in_group'] AS variables
}
CALL () {
  MATCH (p:Post)-[r:IMPLIES]->(t:Target)
  WHERE p.source = coalesce($source, p.source) AND p.origin = coalesce($origin, p.origin)
  RETURN count(r) AS implications, count(DISTINCT p) AS with_group, count(DISTINCT CASE WHEN r.text <> '' THEN p END) AS with_text,
    count(DISTINCT r.group) AS groups, count(DISTINCT t) AS targets, count(DISTINCT CASE WHEN r.text <> '' THEN r.text END) AS texts,
    count(DISTINCT [p.key, r.group]) AS post_groups, count(DISTINCT CASE WHEN r.text <> '' THEN [p.key, r.group, r.text] END) AS whole,
    count(DISTINCT CASE WHEN r.text <> '' THEN [r.group, r.text] END) AS group_texts
}
WITH *, 1.959963984540054 AS z
WHERE posts > 0
CALL (*) {
  // Numbers without a share.
  UNWIND [[1, 'posts', posts, 44671], [2, 'annotations of a post by a person', annotators, null], [3, 'implications', implications, null],
    [4, 'groups', groups, 1414], [5, 'targets of these groups', targets, null], [6, 'implied statements', texts, 32028],
    [7, 'post and group', post_groups, 48923], [8, 'post, group and statement', whole, 87942], [9, 'group and statement', group_texts, 34333]] AS row
  RETURN row[0] AS place, row[1] AS what, row[2] AS n, null AS of, null AS percent, null AS low, null AS high, row[3] AS paper_n, null AS paper_percent
  UNION ALL
  // Shares of posts: Wilson's interval.
  UNWIND [[10, 'posts with a group', with_group], [11, 'posts with an implied statement', with_text]] AS row
  WITH row, posts AS m, toFloat(row[2]) / posts AS p, z, z * z AS z2
  RETURN row[0] AS place, row[1] AS what, row[2] AS n, m AS of, 100 * p AS percent,
    CASE row[2] WHEN 0 THEN 0.0 ELSE 100 * (p + z2 / (2 * m) - z * sqrt(p * (1 - p) / m + z2 / (4.0 * m * m))) / (1 + z2 / m) END AS low,
    CASE row[2] WHEN m THEN 100.0 ELSE 100 * (p + z2 / (2 * m) + z * sqrt(p * (1 - p) / m + z2 / (4.0 * m * m))) / (1 + z2 / m) END AS high,
    null AS paper_n, null AS paper_percent
  UNION ALL
  UNWIND range(0, size(variables) - 1) AS at
  CALL (at, variables) {
    MATCH (p:Post)
    WHERE p.source = coalesce($source, p.source) AND p.origin = coalesce($origin, p.origin) AND p[variables[at]] IS NOT NULL
    RETURN count(p) AS m, count(CASE WHEN p[variables[at]] >= 0.5 THEN 1 END) AS k
  }
  WITH at, variables, m, k, z, z * z AS z2, CASE m WHEN 0 THEN null ELSE toFloat(k) / m END AS p
  RETURN 20 + at AS place, replace(variables[at], '_', ' ') + ': posts' AS what, k AS n, m AS of, 100 * p AS percent,
    CASE k WHEN 0 THEN CASE m WHEN 0 THEN null ELSE 0.0 END ELSE 100 * (p + z2 / (2 * m) - z * sqrt(p * (1 - p) / m + z2 / (4.0 * m * m))) / (1 + z2 / m) END AS low,
    CASE k WHEN m THEN CASE m WHEN 0 THEN null ELSE 100.0 END ELSE 100 * (p + z2 / (2 * m) + z * sqrt(p * (1 - p) / m + z2 / (4.0 * m * m))) / (1 + z2 / m) END AS high,
    null AS paper_n, null AS paper_percent
  UNION ALL
  // Shares of answers, several of a post: the interval is that of a ratio over posts (linearised), not over answers.
  UNWIND range(0, size(variables) - 1) AS at
  CALL (at, variables) {
    MATCH (p:Post)
    WHERE p.source = coalesce($source, p.source) AND p.origin = coalesce($origin, p.origin) AND p[variables[at] + '_answers'] > 0
    WITH p[variables[at] + '_answers'] AS n, p[variables[at]] * p[variables[at] + '_answers'] AS k
    RETURN count(*) AS m, sum(n) AS n, sum(k) AS k, sum(k * k) AS kk, sum(k * n) AS kn, sum(n * n) AS nn
  }
  WITH at, variables, m, n, k, kk, kn, nn, z, CASE n WHEN 0 THEN null ELSE k / n END AS p
  WITH *, CASE WHEN m > 1 THEN z * sqrt(abs(kk - 2 * p * kn + p * p * nn) * m / (m - 1.0)) / n END AS half
  RETURN 30 + at AS place, replace(variables[at], '_', ' ') + ': answers' AS what, toInteger(round(k)) AS n, n AS of, 100 * p AS percent,
    CASE WHEN p - half < 0 THEN 0.0 ELSE 100 * (p - half) END AS low, CASE WHEN p + half > 1 THEN 100.0 ELSE 100 * (p + half) END AS high,
    null AS paper_n, [44.8, 43.4, 7.9, 50.9, 4.6][at] AS paper_percent
}
RETURN what, n, of, percent, low AS percent_low, high AS percent_high, paper_n, paper_percent
ORDER BY place
