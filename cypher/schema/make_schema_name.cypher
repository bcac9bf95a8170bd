// Constraint schema_name
// One Schema for each name.
CREATE CONSTRAINT schema_name IF NOT EXISTS FOR (n:Schema) REQUIRE n.name IS UNIQUE
