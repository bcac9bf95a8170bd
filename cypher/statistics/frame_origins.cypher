// Where posts come from, and how many offend
// Where the posts with social bias frames were written, and how many per origin are offensive, lewd and so on. A post is positive
// if the mean of its answers is at least one half. The shares are of the posts whose annotators answered.
// takes: $source string = null: name of the source; without it, all sources whose posts people annotated
// returns: type string: Reddit, Twitter, hate sites, or other
// returns: origin string: origin of the posts
// returns: posts int: posts of it
// returns: percent float: their share of all posts
// returns: percent_low float: lower end of its 95 % interval
// returns: percent_high float: upper end
// returns: offensive float|null: offensive, in percent
// returns: intent float|null: meant to offend, in percent
// returns: lewd float|null: lewd or sexual, in percent
// returns: with_group float: posts with a group, in percent
// returns: in_group float|null: by a member of the group, in percent
// returns: paper int|null: posts of it in the paper, in the whole corpus
// keys: type origin
// first: posts percent offensive with_group
// group: frames
// cites: Sap et al. 2020, table 2; Wilson 1927
// empty: no post with a social bias frame: load some with 'harmgraph load sbic'
// of: posts
// for: readers
MATCH (p:Post)
WHERE p.source = coalesce($source, p.source) AND ($source IS NOT NULL OR p.predicted_by IS NULL)
WITH p.origin AS origin, count(p) AS posts,
  toFloat(count(CASE WHEN EXISTS { (p)-[:IMPLIES]->() } THEN 1 END)) AS groups,
  100 * avg(CASE WHEN p.offensive >= 0.5 THEN 1.0 WHEN p.offensive IS NOT NULL THEN 0.0 END) AS offensive,
  100 * avg(CASE WHEN p.intent >= 0.5 THEN 1.0 WHEN p.intent IS NOT NULL THEN 0.0 END) AS intent,
  100 * avg(CASE WHEN p.lewd >= 0.5 THEN 1.0 WHEN p.lewd IS NOT NULL THEN 0.0 END) AS lewd,
  100 * avg(CASE WHEN p.in_group >= 0.5 THEN 1.0 WHEN p.in_group IS NOT NULL THEN 0.0 END) AS in_group
WITH collect({origin: origin, posts: posts, groups: groups, offensive: offensive, intent: intent, lewd: lewd, in_group: in_group}) AS rows,
  sum(posts) AS m, 1.959963984540054 AS z, 1.959963984540054 ^ 2 AS z2
UNWIND rows AS row
WITH row, row.posts AS k, m, z, z2, toFloat(row.posts) / m AS p, toLower(row.origin) AS name
RETURN CASE WHEN name STARTS WITH 't/' THEN 'Twitter' WHEN name IN ['gab', 'stormfront', 'r/incels', 'r/mensrights'] THEN 'hate sites'
    WHEN name STARTS WITH 'r/' OR name STARTS WITH 'reddit' THEN 'Reddit' ELSE 'other' END AS type,
  row.origin AS origin, k AS posts, 100 * p AS percent,
  100 * (p + z2 / (2 * m) - z * sqrt(p * (1 - p) / m + z2 / (4.0 * m * m))) / (1 + z2 / m) AS percent_low,
  CASE k WHEN m THEN 100.0 ELSE 100 * (p + z2 / (2 * m) + z * sqrt(p * (1 - p) / m + z2 / (4.0 * m * m))) / (1 + z2 / m) END AS percent_high,
  row.offensive AS offensive, row.intent AS intent, row.lewd AS lewd, 100 * row.groups / k AS with_group, row.in_group AS in_group,
  {`r/darkjokes`: 10095, `r/meanjokes`: 3483, `r/offensivejokes`: 356, redditmicroagressions: 2011, `t/founta`: 11864, `t/davidson`: 3008,
    `t/waseem`: 1816, gab: 3715, stormfront: 4016}[name] AS paper
ORDER BY type, posts DESC, origin
