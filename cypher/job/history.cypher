// Runs of jobs
// The latest first.
// takes: $job string = null: name of the job, all where null
// takes: $limit int = 20: how many at most
// returns: job string: name of the job
// returns: started string: when, UTC
// returns: seconds int: how long it took
// returns: state string: running, done, exceeded, failed, interrupted, died
// returns: exit_code int: of the command
// returns: numbers int: how many numbers it measured
// returns: failed_step string: the step that failed
// returns: message string: why, in one line
// returns: host string: the machine that ran it
// returns: run string: id
MATCH (run:Run)
WHERE run.job IS NOT NULL AND run.job = coalesce($job, run.job)
WITH run
ORDER BY run.started_at DESC, run.id
LIMIT $limit
RETURN run.job AS job, substring(toString(run.started_at), 0, 19) AS started,
  duration.inSeconds(run.started_at, run.finished_at).seconds AS seconds, run.state AS state, run.exit_code AS exit_code,
  COUNT { (run)<-[:STEP_OF]-(:Run)-[:MEASURED]->() } AS numbers, run.failed_step AS failed_step, run.message AS message,
  run.host AS host, run.id AS run
ORDER BY started DESC, run
