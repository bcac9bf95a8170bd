// Labels of a source
// The statements of a source that are about a target, each once, by their label and by who labelled them.
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $measure string: harm measure
// returns: label string|null: the label, null where there is none
// returns: scorer string|null: scorer and version that set it, null where there is none
// returns: statements int: how many
CALL () {
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  CALL (c) {
    MATCH (c)-[r]->()
    WHERE r.source = $source
    RETURN r[$measure] AS label, r[$measure + '_by'] AS scorer, count(*) AS k
    UNION ALL
    // A triple both of whose ends name a target is seen from its start alone.
    MATCH (c)<-[r]-(o)
    WHERE r.source = $source AND NOT EXISTS { (o)-[link:NAMES]->(t:Target) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } }
    RETURN r[$measure] AS label, r[$measure + '_by'] AS scorer, count(*) AS k
  }
  RETURN label, scorer, k
  UNION ALL
  MATCH (s:Statement {source: $source})
  WHERE EXISTS { (s)-[:ABOUT]->(t:Target) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } }
  RETURN s[$measure] AS label, s[$measure + '_by'] AS scorer, count(*) AS k
}
WITH label, scorer, sum(k) AS statements
WHERE statements > 0
RETURN label, scorer, statements
ORDER BY statements DESC, label, scorer
