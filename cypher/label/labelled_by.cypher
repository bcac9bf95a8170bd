// Who labelled, and what
// Statements about targets, each once, by the scorers and the labels of some measures.
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measures list<string> = ['sentiment']: harm measures
// takes: $by list<string> = ['sentiment_by']: properties that say who labelled, one for each measure
// returns: by list<string|null>: who labelled, for each measure; null where nobody did
// returns: labels list<string|null>: the label by each measure, null where there is none
// returns: statements int: how many
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
CALL (lists) {
  MATCH (list:TargetList)-[held:HOLDS]->(:Target)<-[named:NAMES]-(c:Concept)
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
  WITH DISTINCT c, lists
  MATCH (c)-[r]-(o)
  WHERE r.source = coalesce($source, r.source)
  WITH c, r, EXISTS {
    MATCH (o)-[named:NAMES]->(:Target)<-[held:HOLDS]-(list:TargetList)
    WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
  } AS both, startNode(r) = c AS starts
  WHERE NOT both OR starts
  RETURN [name IN $by | r[name]] AS by, [name IN $measures | r[name]] AS labels, count(*) AS k
  UNION ALL
  MATCH (s:Statement)
  WHERE s.source = coalesce($source, s.source) AND EXISTS {
    MATCH (s)-[about:ABOUT]->(:Target)<-[held:HOLDS]-(list:TargetList)
    WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(about.lists, [list.name])
  }
  RETURN [name IN $by | s[name]] AS by, [name IN $measures | s[name]] AS labels, count(*) AS k
}
RETURN by, labels, sum(k) AS statements
ORDER BY statements DESC
