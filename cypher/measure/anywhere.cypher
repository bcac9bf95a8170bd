// Harm measures that label any statement
// Ends at the first label of each; where there is none it has looked at every statement.
// takes: $measures list<string>: names of measures
// returns: measure string: those of which a label stands
UNWIND $measures AS measure
CALL (measure) {
  MATCH ()-[r]->()
  WHERE r.source IS NOT NULL AND r[measure] IS NOT NULL
  RETURN r.source AS found
  LIMIT 1
  UNION
  MATCH (s:Statement)
  WHERE s[measure] IS NOT NULL
  RETURN s.source AS found
  LIMIT 1
}
RETURN DISTINCT measure
ORDER BY measure
