// What changed between the last two runs
// The numbers of each job that its last run measured otherwise than the run before, the largest change in percent first.
// takes: $job string = null: name of the job, all where null
// takes: $limit int = 100: how many numbers at most
// returns: job string: name of the job
// returns: metric string: such as disparity.d_o_minus
// returns: before float: the number in the run before
// returns: value float: in the last run
// returns: change float: the second less the first
// returns: change_percent float|null: of the first, in percent; null where that is 0
// returns: low float|null: lower end of the interval in the last run, where it has one
// returns: high float|null: upper end
// returns: category string: scope of the number: all, or a category
// returns: target string|null: target that it is of
// returns: source string|null: source that it was computed on
// returns: measure string|null: harm measure
// returns: started string: when the last run began, UTC
// returns: differs string|null: what else differs between the two runs: target lists, sources, or both
// favourite: jobs
MATCH (one:Run)
WHERE one.job = coalesce($job, one.job) AND one.finished_at IS NOT NULL
WITH one
ORDER BY one.started_at DESC
WITH one.job AS job, collect(one)[..2] AS runs
WHERE size(runs) = 2
UNWIND [0, 1] AS ago
WITH job, runs[0].started_at AS started_at, runs[ago] AS one, ago
MATCH (one)<-[part:STEP_OF]-(saved:Run)-[:MEASURED]->(m:Measurement)
OPTIONAL MATCH (m)-[:OF]->(t:Target)
WITH job, started_at, part.step AS step, m.metric AS metric, m.category AS category, m.source AS source, m.measure AS measure, t.name AS target,
  max(CASE ago WHEN 1 THEN m.value END) AS before, max(CASE ago WHEN 0 THEN m.value END) AS value,
  head(collect(CASE ago WHEN 1 THEN saved END)) AS earlier, head(collect(CASE ago WHEN 0 THEN saved END)) AS later,
  max(CASE ago WHEN 0 THEN m.low END) AS low, max(CASE ago WHEN 0 THEN m.high END) AS high
WHERE value <> before
RETURN job, metric, before, value, value - before AS change, CASE WHEN before <> 0 THEN 100 * (value - before) / abs(before) END AS change_percent,
  low, high, category, target, source, measure, substring(toString(started_at), 0, 19) AS started, CASE
    WHEN earlier.lists <> later.lists AND earlier.sources <> later.sources THEN 'target lists, sources'
    WHEN earlier.lists <> later.lists THEN 'target lists'
    WHEN earlier.sources <> later.sources THEN 'sources'
  END AS differs
ORDER BY job, coalesce(abs(change_percent), 0) DESC, metric, category, target
LIMIT $limit
