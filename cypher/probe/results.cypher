// What probes found
// Results that were written back, the highest score first.
// takes: $model string = null: name of the model, every one where null
// takes: $probe string = null: shift, pairs, parity, weat or edge; all where null
// takes: $limit int = 100: how many
// returns: name string: name of the object, its key where it has none
// returns: score float: above 0 towards a, below 0 towards b
// returns: count_a int: people with a who have it
// returns: count_b int: people with b who have it
// returns: a string: first value
// returns: b string: second value
// returns: probe string: name of the probe
// returns: attribute string: the sensitive relation
// returns: entity string: key of the object
// returns: model string: name of the model
// returns: people_of string|null: name of the source of the people, * for every source; null where an older version wrote it
// favourite: probes
// for: readers
MATCH (m:Model)-[p:PROBED]->(e:Entity)
WHERE m.name = coalesce($model, m.name) AND p.probe = coalesce($probe, p.probe) AND p.relation IS NULL
OPTIONAL MATCH (a:Entity {key: p.a})
OPTIONAL MATCH (b:Entity {key: p.b})
RETURN coalesce(e.name, e.key) AS name, p.score AS score, p.count_a AS count_a, p.count_b AS count_b, coalesce(a.name, p.a) AS a,
  coalesce(b.name, p.b) AS b, p.probe AS probe, p.attribute AS attribute, e.key AS entity, m.name AS model,
  p.people_of AS people_of
ORDER BY score DESC, entity
LIMIT $limit
