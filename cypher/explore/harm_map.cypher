// Map of harm: the targets that are hurt most often
// A picture: the targets with the most negative statements, and the strongest of these. Use label 'positive' for favour.
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measure string = 'sentiment': harm measure
// takes: $label string = 'negative': positive or negative
// takes: $source string = null: name of the source, every source where null
// takes: $targets int = 6: how many targets
// takes: $each int = 6: how many statements of each
// returns: path path: target, concept and statement
// for: readers
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
CALL (lists) {
  // Their targets. A group of a source that a list has too is the list's.
  MATCH (list:TargetList)-[held:HOLDS]->(t:Target)
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists)
  RETURN t, collect(list.name) AS of
}
CALL (t, of) {
  MATCH path = (t)<-[named:NAMES]-(:Concept)-[r]-()
  WHERE r[$measure] = $label AND r.source = coalesce($source, r.source) AND (named.lists IS NULL OR any(name IN named.lists WHERE name IN of))
  RETURN path, abs(r[$measure + '_score']) AS strength
  UNION ALL
  MATCH path = (t)<-[about:ABOUT]-(s:Statement)
  WHERE s[$measure] = $label AND s.source = coalesce($source, s.source) AND (about.lists IS NULL OR any(name IN about.lists WHERE name IN of))
  RETURN path, abs(s[$measure + '_score']) AS strength
}
WITH t, path, strength
ORDER BY strength DESC
WITH t, collect(path) AS paths
ORDER BY size(paths) DESC, t.name
LIMIT $targets
UNWIND paths[..$each] AS path
RETURN path
