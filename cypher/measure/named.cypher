// Harm measures that somebody labelled once
// Names of properties that have a score and a scorer beside them. A name stays in the store after its labels are gone.
// returns: measure string: name of the measure
CALL db.propertyKeys() YIELD propertyKey
WITH collect(propertyKey) AS keys
UNWIND keys AS measure
WITH keys, measure
WHERE measure + '_by' IN keys AND measure + '_score' IN keys
RETURN measure
ORDER BY measure
