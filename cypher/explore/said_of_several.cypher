// What is said of several targets
// A picture: concepts that statements of one label tie to more than one target. The same words, another group.
// takes: $measure string = 'sentiment': harm measure
// takes: $label string = 'negative': positive, negative or neutral
// takes: $source string = null: name of the source, every source where null
// takes: $limit int = 8: how many shared concepts at most
// takes: $each int = 6: how many targets of each at most
// returns: path path: target, concept and shared concept
// for: readers
MATCH path = (t:Target)<-[:NAMES]-(c:Concept)-[r]-(shared:Concept)
WHERE r[$measure] = $label AND r.source = coalesce($source, r.source) AND c <> shared
WITH shared, count(DISTINCT t) AS targets, collect(path) AS paths
WHERE targets > 1
ORDER BY targets DESC, size(paths), shared.text
LIMIT $limit
UNWIND paths[..$each] AS path
RETURN path
