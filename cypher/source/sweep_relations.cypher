// Remove relations whose type no longer occurs
// takes: $types list: the types that occur
MATCH (r:Relation)
WHERE NOT r.type IN $types
DELETE r
