// Who labelled, and what
// Statements about targets, each once, by the scorers and the labels of some measures.
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $measures list<string> = ['sentiment']: harm measures
// takes: $by list<string> = ['sentiment_by']: properties that say who labelled, one per measure
// returns: by list<string|null>: who labelled, per measure; null if nobody did
// returns: labels list<string|null>: the label by each measure, null where there is none
// returns: statements int: how many
CALL () {
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  MATCH (c)-[r]-(o)
  WHERE r.source = coalesce($source, r.source)
  WITH c, r, EXISTS { (o)-[link:NAMES]->(t:Target) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } } AS both, startNode(r) = c AS starts
  WHERE NOT both OR starts
  RETURN [name IN $by | r[name]] AS by, [name IN $measures | r[name]] AS labels, count(*) AS k
  UNION ALL
  MATCH (s:Statement)
  WHERE s.source = coalesce($source, s.source) AND EXISTS { (s)-[:ABOUT]->(t:Target) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } }
  RETURN [name IN $by | s[name]] AS by, [name IN $measures | s[name]] AS labels, count(*) AS k
}
RETURN by, labels, sum(k) AS statements
ORDER BY statements DESC
