// Constraint statement_key
// One Statement for each key.
CREATE CONSTRAINT statement_key IF NOT EXISTS FOR (n:Statement) REQUIRE n.key IS UNIQUE
