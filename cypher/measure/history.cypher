// History of a number
// What saved runs measured, the oldest first.
// takes: $metric string = null: such as disparity.d_o_minus, all where null
// takes: $category string = null: scope of the number: all, or a category
// takes: $target string = null: name of a target
// takes: $source string = null: name of a source
// takes: $measures list<string> = null: harm measures, all where null
// returns: at string: when, UTC
// returns: metric string: what was measured
// returns: value float|null: the number
// returns: value_low float|null: lower end of its interval
// returns: value_high float|null: upper end
// returns: n int|null: count it rests on
// returns: category string: scope
// returns: target string|null: target that it is of
// returns: source string|null: source that it was computed on
// returns: measure string|null: harm measure
// returns: differs string|null: what differs from the run before that measured it: target lists, sources, or both
// returns: lists list<string>: name@digest of each target list that it is about
// returns: sources list<string>: name@import of each source that it is of
// keys: at metric category target source measure
// first: value n
// for: readers
MATCH (run:Run)-[:MEASURED]->(m:Measurement)
WHERE m.metric = coalesce($metric, m.metric) AND m.category = coalesce($category, m.category)
  AND ($source IS NULL OR m.source = $source) AND ($measures IS NULL OR m.measure IN $measures)
OPTIONAL MATCH (m)-[:OF]->(t:Target)
WITH run, m, t.name AS target
ORDER BY run.started_at, run.id
WHERE $target IS NULL OR target = $target
WITH m.metric AS metric, m.category AS category, target, m.source AS source, m.measure AS measure, collect({run: run, m: m}) AS kept
UNWIND range(0, size(kept) - 1) AS place
WITH *, kept[place].run AS run, kept[place].m AS m, CASE place WHEN 0 THEN null ELSE kept[place - 1].run END AS before
RETURN substring(toString(run.started_at), 0, 19) AS at, metric, m.value AS value, m.low AS value_low, m.high AS value_high, m.n AS n, category,
  target, source, measure, CASE
    WHEN before.lists <> run.lists AND before.sources <> run.sources THEN 'target lists, sources'
    WHEN before.lists <> run.lists THEN 'target lists'
    WHEN before.sources <> run.sources THEN 'sources'
  END AS differs, coalesce(run.lists, []) AS lists, coalesce(run.sources, []) AS sources
ORDER BY run.started_at, metric, category, target
