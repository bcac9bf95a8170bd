// What a model leans to
// A picture: the models, and the objects of their probes that lean most. Click a relationship: score is above 0 towards a, below 0
// towards b.
// takes: $model string = null: name of the model, every one where null
// takes: $probe string = null: shift, pairs, parity, weat or edge; all where null
// takes: $limit int = 30: how many objects at most
// returns: path path: model and object
// favourite: probes
MATCH path = (m:Model)-[p:PROBED]->(:Entity)
WHERE m.name = coalesce($model, m.name) AND p.probe = coalesce($probe, p.probe) AND p.relation IS NULL
RETURN path
ORDER BY abs(p.score) DESC
LIMIT $limit
