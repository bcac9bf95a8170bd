// A run of a job ends
// It has the target lists and sources of its steps. A run that is no longer there, because a step emptied the store, is made again.
// takes: $run map: id, command, parameters, versions, job, host and pid
// takes: $end map: state, exit_code, failed_step and message
// changes: records
MERGE (run:Run {id: $run.id})
SET run += $run, run += $end, run.started_at = coalesce(run.started_at, datetime()), run.finished_at = datetime()
WITH run
CALL (run) {
  MATCH (run)<-[:STEP_OF]-(saved:Run)
  UNWIND coalesce(saved.lists, []) AS list
  WITH DISTINCT list ORDER BY list
  RETURN collect(list) AS lists
}
CALL (run) {
  MATCH (run)<-[:STEP_OF]-(saved:Run)
  UNWIND coalesce(saved.sources, []) AS source
  WITH DISTINCT source ORDER BY source
  RETURN collect(source) AS sources
}
SET run.lists = lists, run.sources = sources
