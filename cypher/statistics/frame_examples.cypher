// Examples of social bias frames
// Posts with the answers of their annotators and what they imply about whom. A variable is yes where the mean of its answers is at
// least one half, and null where nobody was asked. The posts that most annotators saw come first.
// takes: $source string = null: name of the source; where null, every source whose posts people annotated
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source; of every source where none is named, where null
// takes: $target string = null: only what is implied about one target
// takes: $origin string = null: only posts of one origin, such as Gab
// takes: $limit int = 10: how many rows at most
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
// cites: Sap et al. 2020, table 1
// empty: no such post with a social bias frame: load some with 'harmgraph load sbic'
// of: posts
// for: readers
CALL () {
  // The lists that are named, or all lists and the groups of the source; where none is named, of every source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = coalesce($source, list.name))
  RETURN collect(list.name) AS lists
}
MATCH (p:Post)
WHERE p.source = coalesce($source, p.source) AND ($source IS NOT NULL OR p.predicted_by IS NULL) AND p.origin = coalesce($origin, p.origin)
OPTIONAL MATCH (p)-[r:IMPLIES]->(group:Target)
OPTIONAL CALL (group, lists) {
  // The target of one of the lists that the group is, or the group itself.
  OPTIONAL MATCH (group)-[listed:LISTED_AS]->(same:Target)
  WHERE any(name IN listed.lists WHERE name IN lists)
  WITH group, lists, listed, same ORDER BY listed.place, same.name LIMIT 1
  WITH lists, coalesce(same, group) AS t
  MATCH (list:TargetList)-[held:HOLDS]->(t)
  WHERE list.name IN lists
  WITH t, list, held ORDER BY list.kind DESC, list.place LIMIT 1
  RETURN t
}
WITH p, t, r
WHERE (r IS NULL OR t IS NOT NULL) AND ($target IS NULL OR t.name = $target)
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
