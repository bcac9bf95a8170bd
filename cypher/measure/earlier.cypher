// Saved numbers of a source
// What runs measured on a source by one harm measure, the oldest first, with what each number stands on.
// takes: $source string: name of the source
// takes: $measure string: harm measure
// takes: $metrics list<string>: such as disparity.d_o_minus
// returns: at string: when the run began, UTC
// returns: metric string: what was measured
// returns: category string: scope of the number: all, or a category
// returns: source string: source that it was computed on
// returns: measure string: harm measure
// returns: target string|null: target that it is of
// returns: value float|null: the number
// returns: low float|null: lower end of its interval
// returns: high float|null: upper end
// returns: n int|null: count it rests on
// returns: lists list<string>|null: name@digest of each target list that it is about
// returns: sources list<string>|null: name@import of each source that it is of
// returns: scorers list<string>|null: measure=scorer@version of who labelled, null where it was not kept
// returns: number_id string|null: id of the number, null where it was not kept
// returns: command string: the command that measured it
// returns: parameters string: what it was given, as JSON
MATCH (run:Run)-[:MEASURED]->(m:Measurement {source: $source, measure: $measure})
WHERE m.metric IN $metrics
OPTIONAL MATCH (m)-[:OF]->(t:Target)
RETURN substring(toString(run.started_at), 0, 19) AS at, m.metric AS metric, m.category AS category, m.source AS source,
  m.measure AS measure, t.name AS target, m.value AS value, m.low AS low, m.high AS high, m.n AS n, run.lists AS lists,
  run.sources AS sources, run.scorers AS scorers, m.number_id AS number_id, run.command AS command, run.parameters AS parameters
ORDER BY run.started_at, run.id, metric, category, target
