// Index measurement_metric
// Finds each Measurement by its metric.
CREATE INDEX measurement_metric IF NOT EXISTS FOR (n:Measurement) ON (n.metric)
