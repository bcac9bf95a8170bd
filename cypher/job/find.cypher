// A run by the beginning of its id, or the last of a job
// takes: $text string: the first six digits of an id, or more, or the name of a job
// returns: run string: id
// returns: job string|null: name of the job, null for numbers that were kept by hand
// returns: command string: what ran
// returns: started string: when, UTC
// returns: state string|null: how it ended, of a job
MATCH (one:Run)
WHERE (size($text) >= 6 AND one.id STARTS WITH $text) OR one.job = $text
RETURN one.id AS run, one.job AS job, one.command AS command, substring(toString(one.started_at), 0, 19) AS started, one.state AS state
ORDER BY one.id STARTS WITH $text DESC, one.started_at DESC, one.id
LIMIT 10
