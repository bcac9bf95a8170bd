// What posts imply about targets
// Each implied statement of a target once, as it is written, with how many posts imply it and how many annotators say so.
// takes: $source string: source of the posts
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $category string = null: one category of targets, all where null
// returns: target string: name of the target
// returns: group string: the group as the annotators wrote it
// returns: implied string: the implied statement
// returns: posts int: posts that imply it
// returns: annotators int: annotators who say so
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
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
MATCH (group)<-[r:IMPLIES]-(p:Post {source: $source})
WHERE r.text <> '' AND category = coalesce($category, category)
RETURN t.name AS target, min(r.group) AS group, r.text AS implied, count(DISTINCT p) AS posts,
  count(DISTINCT CASE WHEN r.annotator <> '' THEN r.annotator END) AS annotators
ORDER BY target, implied
