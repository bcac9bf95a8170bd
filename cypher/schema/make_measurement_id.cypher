// Constraint measurement_id
// One Measurement for each id.
CREATE CONSTRAINT measurement_id IF NOT EXISTS FOR (n:Measurement) REQUIRE n.id IS UNIQUE
