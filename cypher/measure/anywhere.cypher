// Harm measures that label any statement
// What people say of the quality of a statement (valid, invalid) is no harm. Ends at the first label of each; where there is none it has looked at every statement.
// takes: $measures list<string>: names of measures
// returns: measure string: those of which a label stands
UNWIND $measures AS measure
CALL (measure) {
  MATCH ()-[r]->()
  WHERE r.source IS NOT NULL AND NOT r[measure] IN ['valid', 'invalid']
  RETURN r.source AS found
  LIMIT 1
  UNION
  MATCH (s:Statement)
  WHERE NOT s[measure] IN ['valid', 'invalid']
  RETURN s.source AS found
  LIMIT 1
}
RETURN DISTINCT measure
ORDER BY measure
