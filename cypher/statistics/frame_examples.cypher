// Posts with what they imply about whom
// Posts with the answers of their annotators and what they imply about whom. A variable is yes if the mean of its answers is at least one half, and null if nobody was asked. The posts that most annotators saw come first.
// takes: $source string = null: name of the source; without it, all sources whose posts people annotated
// takes: $target string = null: only what is implied about one target
// takes: $origin string = null: count only posts of this origin, such as Gab
// takes: $limit int = 10: at most this many rows
// returns: post string: the post
// returns: offensive string|null: could it offend anyone
// returns: intent string|null: was it meant to offend
// returns: lewd string|null: is it lewd or sexual
// returns: group string|null: does it target a group
// returns: target string|null: name of the target
// returns: implied list<string>: what it implies about the target, each statement once
// returns: in_group string|null: does its author belong to the group
// returns: origin string: origin of the post
// keys: post target
// first: implied offensive group
// group: frames
// cites: Sap et al. 2020, table 1
// empty: no such post with a social bias frame: load some with 'harmgraph load sbic'
// of: posts
// for: readers
MATCH (p:Post)
WHERE p.source = coalesce($source, p.source) AND ($source IS NOT NULL OR p.predicted_by IS NULL) AND p.origin = coalesce($origin, p.origin)
OPTIONAL MATCH (p)-[r:IMPLIES]->(t:Target)
WITH p, t, r
WHERE $target IS NULL OR t.name = $target
WITH p, t, collect(DISTINCT r.text) AS texts
WITH p, t, [text IN texts WHERE text <> ''] AS texts
ORDER BY coalesce(p.annotators, 0) DESC, p.key, t.name
LIMIT $limit
CALL (p) {
  UNWIND ['offensive', 'intent', 'lewd', 'group_targeted', 'in_group'] AS variable
  RETURN collect([CASE WHEN p[variable] >= 0.5 THEN 'yes' WHEN p[variable] IS NOT NULL THEN 'no' END]) AS answers
}
RETURN p.text AS post, answers[0][0] AS offensive, answers[1][0] AS intent, answers[2][0] AS lewd, answers[3][0] AS group,
  t.name AS target, COLLECT { UNWIND texts AS text RETURN text ORDER BY text } AS implied, answers[4][0] AS in_group, p.origin AS origin
