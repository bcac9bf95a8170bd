// What is said of several targets
// A picture: concepts that statements of one label tie to more than one target. The same words, another group.
// takes: $measure string = 'sentiment': harm measure
// takes: $label string = 'negative': positive, negative or neutral
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $limit int = 8: how many shared concepts at most
// takes: $each int = 6: how many targets of each at most
// returns: path path: target, concept and shared concept
// for: readers
MATCH path = (t:Target)<-[link:NAMES]-(c:Concept)-[r]-(shared:Concept)
WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND r[$measure] = $label AND r.source = coalesce($source, r.source) AND c <> shared
WITH shared, t, path ORDER BY t.name, c.key, type(r)
WITH shared, count(DISTINCT t) AS targets, collect(path) AS paths
WHERE targets > 1
ORDER BY targets DESC, size(paths), shared.text
LIMIT $limit
UNWIND paths[..$each] AS path
RETURN path
