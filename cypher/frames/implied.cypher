// What posts imply about targets
// Each implied statement of a target once, as it is written, with how many posts imply it and how many annotators say so.
// takes: $source string: source of the posts
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $category string = null: one category of targets, all where null
// returns: target string: name of the target
// returns: group string: the group as the annotators wrote it
// returns: implied string: the implied statement
// returns: posts int: posts that imply it
// returns: annotators int: annotators who say so
MATCH (t:Target)<-[r:IMPLIES]-(p:Post {source: $source})
WHERE r.text <> '' AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND t.category = coalesce($category, t.category)
RETURN t.name AS target, min(r.group) AS group, r.text AS implied, count(DISTINCT p) AS posts,
  count(DISTINCT CASE WHEN r.annotator <> '' THEN r.annotator END) AS annotators
ORDER BY target, implied
