// Constraint lock_name
// One Lock for each name.
CREATE CONSTRAINT lock_name IF NOT EXISTS FOR (n:Lock) REQUIRE n.name IS UNIQUE
