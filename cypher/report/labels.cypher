// Labels of a source
// The statements of a source that are about a target, each once, by their label and by who labelled them.
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measure string: harm measure
// returns: label string|null: the label, null where there is none
// returns: scorer string|null: scorer and version that set it, null where there is none
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
  CALL (c, lists) {
    MATCH (c)-[r]->()
    WHERE r.source = $source
    RETURN r[$measure] AS label, r[$measure + '_by'] AS scorer, count(*) AS k
    UNION ALL
    // A triple both of whose ends name a target is seen from its start alone.
    MATCH (c)<-[r]-(o)
    WHERE r.source = $source AND NOT EXISTS {
      MATCH (o)-[named:NAMES]->(:Target)<-[held:HOLDS]-(list:TargetList)
      WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(named.lists, [list.name])
    }
    RETURN r[$measure] AS label, r[$measure + '_by'] AS scorer, count(*) AS k
  }
  RETURN label, scorer, k
  UNION ALL
  MATCH (s:Statement {source: $source})
  WHERE EXISTS {
    MATCH (s)-[about:ABOUT]->(:Target)<-[held:HOLDS]-(list:TargetList)
    WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(about.lists, [list.name])
  }
  RETURN s[$measure] AS label, s[$measure + '_by'] AS scorer, count(*) AS k
}
WITH label, scorer, sum(k) AS statements
WHERE statements > 0
RETURN label, scorer, statements
ORDER BY statements DESC, label, scorer
