// Runs whose process died
// Marks the runs of a job that were never ended.
// takes: $job string: name of the job
// takes: $alive list<string> = []: ids of runs that are under way
// returns: id string: id of the run
// returns: started string: when, UTC
// changes: records
MATCH (run:Run {job: $job, state: 'running'})
WHERE NOT run.id IN $alive
SET run.state = 'died', run.message = 'its process died before it ended, and what it had done stands'
RETURN run.id AS id, substring(toString(run.started_at), 0, 19) AS started
