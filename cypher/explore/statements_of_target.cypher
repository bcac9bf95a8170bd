// One target and what is said about it
// A picture: the strongest statements of one label, as the triples and sentences that they are.
// takes: $target string: name of the target
// takes: $label string = 'negative': positive, negative or neutral
// takes: $measure string = 'sentiment': harm measure
// takes: $source string = null: name of the source, every source where null
// takes: $limit int = 25: how many statements at most
// returns: path path: target, concept and statement
// for: readers
MATCH (t:Target {name: $target})
CALL (t) {
  MATCH path = (t)<-[:NAMES]-()-[r]-()
  WHERE r[$measure] = $label AND r.source = coalesce($source, r.source)
  RETURN path, abs(r[$measure + '_score']) AS strength
  UNION ALL
  MATCH path = (t)<-[:ABOUT]-(s:Statement)
  WHERE s[$measure] = $label AND s.source = coalesce($source, s.source)
  RETURN path, abs(s[$measure + '_score']) AS strength
}
RETURN path
ORDER BY strength DESC
LIMIT $limit
