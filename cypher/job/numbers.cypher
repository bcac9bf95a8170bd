// Numbers of a run of a job
// takes: $run string: id of the run
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
// returns: unlabelled int|null: of these, without a label
// returns: lists list<string>|null: name@digest of each target list that it is about
// returns: sources list<string>|null: name@import of each source that it is of
MATCH (:Run {id: $run})<-[part:STEP_OF]-(saved:Run)-[:MEASURED]->(m:Measurement)
OPTIONAL MATCH (m)-[:OF]->(t:Target)
RETURN part.step AS step, m.metric AS metric, m.category AS category, m.source AS source, m.measure AS measure,
  t.name AS target, m.value AS value, m.low AS low, m.high AS high, m.n AS n, m.unlabelled AS unlabelled,
  saved.lists AS lists, saved.sources AS sources
ORDER BY metric, category, source, measure, target, step
