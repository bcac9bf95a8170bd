// Sentences of a source
// takes: $source string: name of the source
// takes: $import_id string: id of the newest import
// takes: $since int = 1: number of the newest import within its source
// returns: statements int: sentences
// returns: current int: those that the newest import saw
// returns: added int: those that the newest import brought
MATCH (s:Statement {source: $source})
RETURN count(s) AS statements, count(CASE WHEN s.import_id = $import_id THEN 1 END) AS current,
  count(CASE WHEN s.since = $since THEN 1 END) AS added
