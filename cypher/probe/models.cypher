// Probes of each model
// How many objects each probe of a model judged, and which lean most. A score above 0 leans towards a, below 0 towards b.
// takes: $model string = null: name of the model, every one where null
// returns: model string: name of the model
// returns: probe string: name of the probe
// returns: attribute string: the sensitive relation
// returns: a string: first value
// returns: b string: second value, * for all others
// returns: object_relation string: the relation to the objects
// returns: people_of string|null: name of the source of the people, * for every source; null where an older version wrote it
// returns: objects int: objects with a score
// returns: towards_a string: the object that leans most towards a
// returns: score_a float: its score
// returns: towards_b string: the object that leans most towards b
// returns: score_b float: its score
// returns: size float: mean size of the scores
// favourite: probes
MATCH (m:Model)-[p:PROBED]->(e:Entity)
WHERE m.name = coalesce($model, m.name) AND p.score IS NOT NULL AND p.relation IS NULL
WITH m, p, coalesce(e.name, e.key) AS object
ORDER BY p.score DESC, object
WITH m.name AS model, p.probe AS probe, p.attribute AS attribute, p.a AS a_key, p.b AS b_key, p.object_relation AS object_relation,
  p.people_of AS people_of,
  collect({object: object, score: p.score}) AS rows,
  avg(abs(p.score)) AS size
OPTIONAL MATCH (a:Entity {key: a_key})
OPTIONAL MATCH (b:Entity {key: b_key})
RETURN model, probe, attribute, coalesce(a.name, a_key) AS a, coalesce(b.name, b_key) AS b, object_relation, people_of, size(rows) AS objects,
  rows[0].object AS towards_a, rows[0].score AS score_a, rows[-1].object AS towards_b, rows[-1].score AS score_b, size
ORDER BY model, probe, attribute, object_relation, people_of, a, b
