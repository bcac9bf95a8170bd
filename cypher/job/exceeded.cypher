// Exceeded thresholds
// The runs of jobs that exceeded one, the latest first, with the thresholds and the numbers that exceeded them.
// takes: $job string = null: name of the job, all where null
// takes: $limit int = 20: how many at most
// returns: job string: name of the job
// returns: started string: when, UTC
// returns: message string: the thresholds, and the numbers that exceeded them
// returns: host string|null: the machine that ran it
// returns: run string: id
// favourite: jobs
MATCH (one:Run)
WHERE one.state = 'exceeded' AND one.job = coalesce($job, one.job)
RETURN one.job AS job, substring(toString(one.started_at), 0, 19) AS started, one.message AS message, one.host AS host, one.id AS run
ORDER BY started DESC, run
LIMIT $limit
