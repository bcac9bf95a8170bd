// Harm measures that label a statement about a target
// Ends at the first label of each. A triple has an assertion; what the platform itself relates, such as PROBED, has none.
// takes: $measures list<string>: names of measures
// returns: measure string: those of which a label stands there
UNWIND $measures AS measure
CALL (measure) {
  MATCH (:Target)<-[:NAMES]-(:Concept)-[r]-()
  WHERE r.source IS NOT NULL AND r[measure] IS NOT NULL
  RETURN r.source AS found
  LIMIT 1
  UNION
  MATCH (:Target)<-[:ABOUT]-(s:Statement)
  WHERE s[measure] IS NOT NULL
  RETURN s.source AS found
  LIMIT 1
}
RETURN DISTINCT measure
ORDER BY measure
