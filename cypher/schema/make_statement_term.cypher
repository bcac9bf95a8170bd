// Index statement_term
// Finds each Statement by its term.
CREATE INDEX statement_term IF NOT EXISTS FOR (n:Statement) ON (n.term)
