// Index statement_source
// Finds each Statement by its source.
CREATE INDEX statement_source IF NOT EXISTS FOR (n:Statement) ON (n.source)
