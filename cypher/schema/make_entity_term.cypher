// Index entity_term
// Finds each Entity by its term.
CREATE INDEX entity_term IF NOT EXISTS FOR (n:Entity) ON (n.term)
