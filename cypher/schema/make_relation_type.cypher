// Constraint relation_type
// One Relation for each type.
CREATE CONSTRAINT relation_type IF NOT EXISTS FOR (n:Relation) REQUIRE n.type IS UNIQUE
