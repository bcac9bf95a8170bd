// A run of a job begins
// takes: $run map: id, command, parameters, versions, job, host and pid
// changes: records
MERGE (run:Run {id: $run.id})
SET run += $run, run.state = 'running', run.started_at = coalesce(run.started_at, datetime())
