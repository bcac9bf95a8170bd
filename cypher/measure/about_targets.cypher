// Harm measures that label a statement about a target
// What people say of the quality of a statement (valid, invalid) is no harm. Ends at the first label of each. A triple has an assertion; what the platform itself relates, such as PROBED, has none.
// takes: $measures list<string>: names of measures
// returns: measure string: those of which a label stands there
UNWIND $measures AS measure
CALL (measure) {
  MATCH (:Target)<-[:NAMES]-(:Concept)-[r]-()
  WHERE r.source IS NOT NULL AND NOT r[measure] IN ['valid', 'invalid']
  RETURN r.source AS found
  LIMIT 1
  UNION
  MATCH (:Target)<-[:ABOUT]-(s:Statement)
  WHERE NOT s[measure] IN ['valid', 'invalid']
  RETURN s.source AS found
  LIMIT 1
}
RETURN DISTINCT measure
ORDER BY measure
