// A run of a job ends
// A run that is no longer there, because a step emptied the store, is made again.
// takes: $run map: id, command, parameters, versions, job, host and pid
// takes: $end map: state, exit_code, failed_step and message
MERGE (run:Run {id: $run.id})
SET run += $run, run += $end, run.started_at = coalesce(run.started_at, datetime()), run.finished_at = datetime()
