// What a source says of values
// The statements of a source about each value: its triples, as sentences, and its sentences. A value is a target that the
// source names, whichever of its names it is written by.
// takes: $values list<string>: the values, normalised
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// returns: value string: the value
// returns: fact string: the sentence
// returns: weight float: of the triple in its source, 1 where it has none
UNWIND $values AS value
CALL (value) {
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)-[r]-()
  WHERE value IN t.names AND r.source = $source
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT r
  RETURN startNode(r).text + ' ' + coalesce(COLLECT { MATCH (k:Relation {type: type(r)}) RETURN k.template }[0],
    toLower(replace(type(r), '_', ' '))) + ' ' + endNode(r).text AS fact, toFloat(coalesce(r.weight, 1)) AS weight
  UNION ALL
  MATCH (t:Target)<-[:ABOUT]-(s:Statement {source: $source})
  WHERE value IN t.names
    AND EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) }
  WITH DISTINCT s
  RETURN s.text AS fact, 1.0 AS weight
}
RETURN value, fact, weight
