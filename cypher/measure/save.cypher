// Keep a run and its numbers
// takes: $run map: id, command, parameters and versions
// takes: $rows list = []: measurements: id, number_id, metric, category, measure, source, value, low, high, n, unlabelled; `of` and `name` say what they are of
// takes: $job map = null: the run of a job that this run is a step of: run (its id) and step
// changes: records
MERGE (run:Run {id: $run.id})
SET run += $run, run.started_at = coalesce(run.started_at, datetime())
WITH run
CALL (run) {
  MATCH (whole:Run {id: $job.run})
  MERGE (run)-[part:STEP_OF]->(whole)
  SET part.step = $job.step
}
WITH run
UNWIND $rows AS row
MERGE (m:Measurement {id: row.id})
SET m.number_id = row.number_id, m.metric = row.metric, m.category = row.category, m.measure = row.measure, m.source = row.source,
  m.value = row.value, m.low = row.low, m.high = row.high, m.n = row.n, m.unlabelled = row.unlabelled
MERGE (run)-[:MEASURED]->(m)
WITH m, row
CALL (m, row) {
  MATCH (t:Target {name: row.name})
  WHERE row.of = 'target'
  MERGE (m)-[:OF]->(t)
}
CALL (m, row) {
  MATCH (s:Source)
  WHERE row.of = 'source' AND s.name = row.name
  MERGE (m)-[:OF]->(s)
}
