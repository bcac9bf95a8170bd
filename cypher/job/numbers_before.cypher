// Numbers of the runs before a run of a job
// The same number of several runs comes once, as the latest of them measured it.
// takes: $run string: id of the run
// takes: $runs int = 30: how many runs to look back
// returns: step string: name of the step that measured it
// returns: metric string: such as disparity.d_o_minus
// returns: category string: scope of the number: all, or a category
// returns: source string|null: source that it was computed on
// returns: measure string|null: harm measure
// returns: target string|null: target that it is of
// returns: value float|null: the number
// returns: low float|null: lower end of its interval
// returns: high float|null: upper end
// returns: n int|null: count it rests on
// returns: lists list<string>|null: name@digest of each target list that it is about
// returns: sources list<string>|null: name@import of each source that it is of
// returns: scorers list<string>|null: measure=scorer@version of who labelled, null where it was not kept
// returns: number_id string|null: id of the number, null where it was not kept
// returns: command string: the command that measured it
// returns: parameters string: what it was given, as JSON
MATCH (now:Run {id: $run})
MATCH (run:Run {job: now.job})
WHERE run.started_at < now.started_at
WITH run
ORDER BY run.started_at DESC
LIMIT $runs
MATCH (run)<-[part:STEP_OF]-(saved:Run)-[:MEASURED]->(m:Measurement)
OPTIONAL MATCH (m)-[:OF]->(t:Target)
WITH run, saved, part.step AS step, m, t.name AS target
ORDER BY run.started_at DESC
WITH step, m.metric AS metric, m.category AS category, m.source AS source, m.measure AS measure, target,
  head(collect(m)) AS latest, head(collect(saved)) AS saved
RETURN step, metric, category, source, measure, target,
  latest.value AS value, latest.low AS low, latest.high AS high, latest.n AS n, saved.lists AS lists, saved.sources AS sources,
  saved.scorers AS scorers, latest.number_id AS number_id, saved.command AS command, saved.parameters AS parameters
ORDER BY metric, category, source, measure, target, step
