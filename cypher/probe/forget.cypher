// Forget the results of one probe of a model
// So that those which follow stand alone.
// takes: $model string: name of the model
// takes: $probe string: name of the probe
// takes: $attribute string: the sensitive relation
// takes: $a string: first value
// takes: $b string: second value, * for all others
// takes: $object_relation string: the relation to the objects
MATCH (m:Model {name: $model})-[p:PROBED {probe: $probe, attribute: $attribute, a: $a, b: $b, object_relation: $object_relation}]->(:Entity)
DELETE p
