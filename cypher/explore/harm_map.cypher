// Map of harm: the targets hurt most often
// A picture: the targets with the most negative statements, and the strongest of these. Use label 'positive' for favour.
// takes: $measure string = 'sentiment': harm measure
// takes: $label string = 'negative': positive or negative
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $targets int = 6: how many targets
// takes: $each int = 6: how many statements of each
// returns: path path: target, concept and statement
// for: readers
MATCH (t:Target)
CALL (t) {
  MATCH path = (t)<-[link:NAMES]-()-[r]-()
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND r[$measure] = $label AND r.source = coalesce($source, r.source)
  RETURN path, abs(r[$measure + '_score']) AS strength
  UNION ALL
  MATCH path = (t)<-[:ABOUT]-(s:Statement)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } AND s[$measure] = $label AND s.source = coalesce($source, s.source)
  RETURN path, abs(s[$measure + '_score']) AS strength
}
WITH t, path, strength
ORDER BY strength DESC
WITH t, collect(path) AS paths
ORDER BY size(paths) DESC, t.name
LIMIT $targets
UNWIND paths[..$each] AS path
RETURN path
