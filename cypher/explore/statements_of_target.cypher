// One target and what is said about it
// A picture: the strongest statements of one label, as the triples and sentences that they are.
// takes: $target string: name of the target
// takes: $label string = 'negative': positive, negative or neutral
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measure string = 'sentiment': harm measure
// takes: $source string = null: name of the source, every source where null
// takes: $limit int = 25: how many statements at most
// returns: path path: target, concept and statement
// for: readers
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
CALL (lists) {
  MATCH (list:TargetList)-[held:HOLDS]->(t:Target {name: $target})
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists)
  RETURN t, collect(list.name) AS of
}
CALL (t, of) {
  MATCH path = (t)<-[named:NAMES]-()-[r]-()
  WHERE (named.lists IS NULL OR any(name IN named.lists WHERE name IN of)) AND r[$measure] = $label AND r.source = coalesce($source, r.source)
  RETURN path, abs(r[$measure + '_score']) AS strength
  UNION ALL
  MATCH path = (t)<-[about:ABOUT]-(s:Statement)
  WHERE (about.lists IS NULL OR any(name IN about.lists WHERE name IN of)) AND s[$measure] = $label AND s.source = coalesce($source, s.source)
  RETURN path, abs(s[$measure + '_score']) AS strength
}
RETURN path
ORDER BY strength DESC
LIMIT $limit
