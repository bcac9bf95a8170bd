// Statements of each target whose label changed
// takes: $source string: name of the source
// takes: $was string: property of the measure that says what its label was before it changed
// takes: $relabelled string: ending of that property, such as @2, of labels that changed since import number 2
// returns: target string: name of the target
// returns: statements int: how many
CALL () {
  MATCH (t:Target)<-[:NAMES]-(:Concept)-[r]-()
  WHERE r.source = $source AND r[$was] ENDS WITH $relabelled
  WITH DISTINCT t, r
  RETURN t.name AS target, count(*) AS k
  UNION ALL
  MATCH (t:Target)<-[:ABOUT]-(s:Statement {source: $source})
  WHERE s[$was] ENDS WITH $relabelled
  RETURN t.name AS target, count(*) AS k
}
RETURN target, sum(k) AS statements
ORDER BY target
