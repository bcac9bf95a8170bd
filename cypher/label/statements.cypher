// Sentences and whom they are about
// takes: $lists list<string> = null: names of the target lists; all lists, and the groups of the source, where null
// takes: $source string = null: name of the source, every source where null
// takes: $by string = 'sentiment_by': property that says who labelled
// takes: $label string = 'sentiment': property of the label
// takes: $all bool = false: also those about no target
// returns: id string: element id of the Statement
// returns: text string: the sentence
// returns: names list<list<string>>: names of the targets that it is about, a list for each
// returns: head string|null: the words at its beginning which alone are masked, null where all names are
// returns: tail string|null: the tail of the triple that a model said, null where none is known
// returns: sentence string|null: the sentence that was scored last
// returns: by string|null: who labelled it last
// returns: label string|null: its label
// returns: others list<string>: the like properties of other measures, which a new sentence makes stale
CALL () {
  // The lists that are named, or all lists and the groups of the source.
  MATCH (list:TargetList)
  WHERE list.name IN $lists OR $lists IS NULL AND (list.kind = 'list' OR list.name = $source)
  RETURN collect(list.name) AS lists
}
MATCH (s:Statement)
WHERE s.source = coalesce($source, s.source) AND ($all OR EXISTS {
  MATCH (s)-[about:ABOUT]->(:Target)<-[held:HOLDS]-(list:TargetList)
  WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(about.lists, [list.name])
})
RETURN elementId(s) AS id, s.text AS text, COLLECT {
    MATCH (s)-[about:ABOUT]->(t:Target)<-[held:HOLDS]-(list:TargetList)
    WHERE list.name IN lists AND none(name IN held.unless WHERE name IN lists) AND list.name IN coalesce(about.lists, [list.name])
    RETURN held.names
  } AS names,
  s.head AS head, s.tail AS tail, s.sentence AS sentence, s[$by] AS by, s[$label] AS label,
  CASE WHEN s.sentence IS NULL THEN [] ELSE [name IN keys(s) WHERE name ENDS WITH '_by' AND name <> $by] END AS others
