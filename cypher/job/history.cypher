// Runs of jobs
// The latest first.
// takes: $job string = null: name of the job, all where null
// takes: $limit int = 20: how many at most
// returns: job string: name of the job
// returns: started string: when, UTC
// returns: seconds int|null: how long it took
// returns: state string: running, done, exceeded, failed, interrupted, died
// returns: exit_code int|null: of the command
// returns: numbers int: how many numbers it measured
// returns: failed_step string|null: the step that failed
// returns: message string|null: why, in one line
// returns: host string|null: the machine that ran it
// returns: run string: id
// favourite: jobs
MATCH (one:Run)
WHERE one.job IS NOT NULL AND one.job = coalesce($job, one.job)
WITH one
ORDER BY one.started_at DESC, one.id
LIMIT $limit
RETURN one.job AS job, substring(toString(one.started_at), 0, 19) AS started,
  duration.inSeconds(one.started_at, one.finished_at).seconds AS seconds, one.state AS state, one.exit_code AS exit_code,
  COUNT { (one)<-[:STEP_OF]-(:Run)-[:MEASURED]->() } AS numbers, one.failed_step AS failed_step, one.message AS message,
  one.host AS host, one.id AS run
ORDER BY one.started_at DESC, run
