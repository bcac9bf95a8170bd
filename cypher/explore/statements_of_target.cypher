// One target and what is said about it
// A picture: the strongest statements of one label, as the triples and sentences that they are.
// takes: $target string: name of the target
// takes: $label string = 'negative': positive, negative or neutral; all where null, without a label too
// takes: $measure string = 'sentiment': harm measure
// takes: $source string = null: name of the source, every source where null
// takes: $limit int = 25: how many statements at most
// returns: path path: target, concept and statement
// for: readers
MATCH (t:Target {name: $target})
CALL (t) {
  MATCH path = (t)<-[:NAMES]-()-[r]-()
  WHERE coalesce(r[$measure] = $label, $label IS NULL) AND r.source = coalesce($source, r.source)
  RETURN path, coalesce(abs(r[$measure + '_score']), 0.0) AS strength
  UNION ALL
  MATCH path = (t)<-[:ABOUT]-(s:Statement)
  WHERE coalesce(s[$measure] = $label, $label IS NULL) AND s.source = coalesce($source, s.source)
  RETURN path, coalesce(abs(s[$measure + '_score']), 0.0) AS strength
}
RETURN path
ORDER BY strength DESC
LIMIT $limit
