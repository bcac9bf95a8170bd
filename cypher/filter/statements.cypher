// Sentences with their labels and whom they are about
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $measures list<string> = ['sentiment']: harm measures
// returns: text string: the sentence
// returns: term string: the annotated topic
// returns: properties map: properties of the Statement
// returns: labels list<string|null>: its label of each measure, null where it has none
// returns: targets list<string>: names of the targets that it is about
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
MATCH (s:Statement {source: $source})
RETURN s.text AS text, s.term AS term, properties(s) AS properties, [measure IN $measures | s[measure]] AS labels,
  COLLECT {
    MATCH (s)-[about:ABOUT]->(target:Target)<-[held:HOLDS]-(list:TargetList)
    WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(about.lists, [list.name])
    RETURN DISTINCT target.name
  } AS targets
