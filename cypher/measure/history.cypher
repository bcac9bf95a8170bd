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
// keys: at metric category target source measure
// first: value n
// for: readers
MATCH (run:Run)-[:MEASURED]->(m:Measurement)
WHERE m.metric = coalesce($metric, m.metric) AND m.category = coalesce($category, m.category)
  AND ($source IS NULL OR m.source = $source) AND ($measures IS NULL OR m.measure IN $measures)
OPTIONAL MATCH (m)-[:OF]->(t:Target)
WITH run, m, t.name AS target
WHERE $target IS NULL OR target = $target
RETURN substring(toString(run.started_at), 0, 19) AS at, m.metric AS metric, m.value AS value, m.low AS value_low,
  m.high AS value_high, m.n AS n, m.category AS category, target, m.source AS source, m.measure AS measure
ORDER BY run.started_at, metric, category, target
