// The last run of a job that kept numbers
// takes: $job string = null: name of the job, all where null
// returns: run string: id
// returns: job string: name of the job
// returns: started string: when, UTC
// returns: parameters string: JSON: the job's file and its digest
// returns: lists list<string>: name@digest of each target list that its numbers are about
// returns: sources list<string>: name@import of each source that they are of
// returns: measures list<string>: harm measures of its numbers, in no order
MATCH (run:Run)
WHERE run.job = coalesce($job, run.job) AND run.state IN ['done', 'exceeded'] AND EXISTS { (run)<-[:STEP_OF]-(:Run)-[:MEASURED]->() }
WITH run
ORDER BY run.started_at DESC, run.id
LIMIT 1
RETURN run.id AS run, run.job AS job, substring(toString(run.started_at), 0, 19) AS started, run.parameters AS parameters,
  coalesce(run.lists, []) AS lists, coalesce(run.sources, []) AS sources,
  COLLECT {
    MATCH (run)<-[:STEP_OF]-(saved:Run)
    UNWIND coalesce(saved.scorers, []) AS scorer
    RETURN split(scorer, '=')[0] AS measure
    UNION
    MATCH (run)<-[:STEP_OF]-(:Run)-[:MEASURED]->(m)
    WHERE m.measure IS NOT NULL
    RETURN m.measure AS measure
  } AS measures
