// Constraint target_name
// One Target for each name.
CREATE CONSTRAINT target_name IF NOT EXISTS FOR (n:Target) REQUIRE n.name IS UNIQUE
