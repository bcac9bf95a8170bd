// Targeted groups by category
// How often posts imply something about each category of groups, and the commonest targets within each. A post counts once per
// category and once per target, however many annotators named it.
// takes: $source string = null: name of the source; without it, all sources whose posts people annotated
// takes: $category string = null: one category of groups, all unless given
// takes: $each int = 3: at most this many targets per category
// returns: category string: category of the group, as the annotators chose it
// returns: target string: name of the target
// returns: posts int: posts that imply something about it
// returns: percent float: their share of the category's pairs of post and target
// returns: percent_low float: lower end of its 95 % interval
// returns: percent_high float: upper end
// returns: category_posts int: posts that imply something about the category
// returns: category_percent float: their share of all pairs of post and category
// returns: statements int: distinct implied statements about the target
// keys: category target
// first: posts percent category_posts category_percent
// group: frames
// cites: Sap et al. 2020, figure 3; Wilson 1927
// empty: no post implies anything about a group: load some with 'harmgraph load sbic'
// of: posts
// for: readers
MATCH (p:Post)-[r:IMPLIES]->(t:Target)
WHERE p.source = coalesce($source, p.source) AND ($source IS NOT NULL OR p.predicted_by IS NULL)
WITH r.category AS category, t.name AS target, count(DISTINCT p) AS posts, collect(DISTINCT p) AS members,
  count(DISTINCT CASE WHEN r.text <> '' THEN r.text END) AS statements
ORDER BY posts DESC, target
WITH category, collect({target: target, posts: posts, statements: statements}) AS targets, sum(posts) AS pairs, collect(members) AS lists
CALL (lists) {
  UNWIND lists AS list
  UNWIND list AS post
  RETURN count(DISTINCT post) AS category_posts
}
WITH collect({category: category, targets: targets, pairs: pairs, posts: category_posts}) AS rows, toFloat(sum(category_posts)) AS total
UNWIND rows AS row
WITH row, total
WHERE row.category = coalesce($category, row.category)
UNWIND row.targets[..$each] AS shown
WITH row, shown, total, shown.posts AS k, row.pairs AS m, toFloat(shown.posts) / row.pairs AS p, 1.959963984540054 AS z, 1.959963984540054 ^ 2 AS z2
RETURN row.category AS category, shown.target AS target, k AS posts, 100 * p AS percent,
  100 * (p + z2 / (2 * m) - z * sqrt(p * (1 - p) / m + z2 / (4.0 * m * m))) / (1 + z2 / m) AS percent_low,
  CASE k WHEN m THEN 100.0 ELSE 100 * (p + z2 / (2 * m) + z * sqrt(p * (1 - p) / m + z2 / (4.0 * m * m))) / (1 + z2 / m) END AS percent_high,
  row.posts AS category_posts, 100 * row.posts / total AS category_percent, shown.statements AS statements
ORDER BY category_posts DESC, category, posts DESC, target
