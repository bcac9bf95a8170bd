// Constraint change_source
// One Change for each source.
CREATE CONSTRAINT change_source IF NOT EXISTS FOR (n:Change) REQUIRE n.source IS UNIQUE
