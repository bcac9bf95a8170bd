// Labels of given sentences
// Which of the sentences are statements about a target in a source, and how a measure labels them. The sentence of a
// triple is its head, the relation's phrase and its tail; capitals count for nothing.
// takes: $sentences list<string>: sentences in lower case
// takes: $source string: name of the source
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $measure string: harm measure
// returns: sentence string: the sentence, as given
// returns: label string: its label
// cites: Mehrabi et al. 2021, tables 2, 3 and 8
CALL () {
  MATCH (k:Relation)
  RETURN collect([k.type, k.template]) AS phrases
}
CALL (phrases) {
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) }
  WITH DISTINCT c
  MATCH (c)-[r]-()
  WHERE r.source = $source AND r[$measure] IS NOT NULL
  WITH r, coalesce([phrase IN phrases WHERE phrase[0] = type(r) | phrase[1]][0], toLower(replace(type(r), '_', ' '))) AS phrase
  WITH toLower(startNode(r).text + ' ' + phrase + ' ' + endNode(r).text) AS sentence, r[$measure] AS label
  WHERE sentence IN $sentences
  RETURN sentence, label
  UNION ALL
  MATCH (s:Statement {source: $source})
  WHERE s[$measure] IS NOT NULL AND toLower(s.text) IN $sentences
  RETURN toLower(s.text) AS sentence, s[$measure] AS label
}
// Statements of one sentence may be labelled differently where they name different targets.
WITH sentence, label, count(*) AS k
ORDER BY k DESC, label
RETURN sentence, collect(label)[0] AS label
ORDER BY sentence
