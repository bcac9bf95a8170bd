// Numbers of a run
// Of a run of a job, those of its steps.
// takes: $run string: id of the run
// returns: step string: name of the step that measured it, empty where the run is none of a job
// returns: metric string: such as disparity.d_o_minus
// returns: category string: scope of the number: all, or a category
// returns: source string|null: source that it was computed on
// returns: measure string|null: harm measure
// returns: target string|null: target that it is of
// returns: value float|null: the number
// returns: low float|null: lower end of its interval
// returns: high float|null: upper end
// returns: n int|null: count it rests on
// returns: unlabelled int|null: of these, without a label
// returns: lists list<string>|null: name@digest of each target list that it is about
// returns: sources list<string>|null: name@import of each source that it is of
// returns: scorers list<string>|null: measure=scorer@version of who labelled, null where it was not kept
// returns: number_id string|null: id of the number, null where it was not kept
// returns: command string: the command that measured it
// returns: parameters string: what it was given, as JSON
MATCH (run:Run {id: $run})
CALL (run) {
  MATCH (run)<-[part:STEP_OF]-(saved:Run)
  RETURN saved, part.step AS step
  UNION ALL
  RETURN run AS saved, '' AS step
}
MATCH (saved)-[:MEASURED]->(m:Measurement)
OPTIONAL MATCH (m)-[:OF]->(t:Target)
RETURN step, m.metric AS metric, m.category AS category, m.source AS source, m.measure AS measure,
  t.name AS target, m.value AS value, m.low AS low, m.high AS high, m.n AS n, m.unlabelled AS unlabelled,
  saved.lists AS lists, saved.sources AS sources, saved.scorers AS scorers, m.number_id AS number_id,
  saved.command AS command, saved.parameters AS parameters
ORDER BY metric, category, source, measure, target, step
