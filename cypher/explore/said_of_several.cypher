// What is said of several targets
// A picture: concepts that statements of one label tie to more than one target. The same words, another group.
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measure string = 'sentiment': harm measure
// takes: $label string = 'negative': positive, negative or neutral
// takes: $source string = null: name of the source, every source where null
// takes: $limit int = 8: how many shared concepts at most
// takes: $each int = 6: how many targets of each at most
// returns: path path: target, concept and shared concept
// for: readers
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
MATCH path = (t:Target)<-[named:NAMES]-(c:Concept)-[r]-(shared:Concept)
WHERE EXISTS {
    MATCH (list:TargetList)-[held:HOLDS]->(t)
    WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
  } AND r[$measure] = $label AND r.source = coalesce($source, r.source) AND c <> shared
WITH shared, count(DISTINCT t) AS targets, collect(path) AS paths
WHERE targets > 1
ORDER BY targets DESC, size(paths), shared.text
LIMIT $limit
UNWIND paths[..$each] AS path
RETURN path
