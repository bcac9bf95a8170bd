// Jobs that have run
// returns: job string: name of the job
MATCH (run:Run)
WHERE run.job IS NOT NULL
RETURN DISTINCT run.job AS job
ORDER BY job
