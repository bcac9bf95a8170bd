// Forget the results of one probe of a model
// So that those which follow stand alone. Results of people of other sources stay; a version that did not keep the source has left
// results without one, which go too.
// takes: $model string: name of the model
// takes: $probe string: name of the probe
// takes: $attribute string: the sensitive relation
// takes: $a string: first value
// takes: $b string: second value, * for all others, or words for no edge
// takes: $object_relation string: the relation to the objects
// takes: $people_of string: name of the source of the people, * for every source
// changes: records
MATCH (m:Model {name: $model})-[p:PROBED {probe: $probe, attribute: $attribute, a: $a, b: $b, object_relation: $object_relation}]->(:Entity)
WHERE p.people_of = $people_of OR p.people_of IS NULL
DELETE p
