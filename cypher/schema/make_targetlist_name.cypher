// Constraint targetlist_name
// One TargetList for each name.
CREATE CONSTRAINT targetlist_name IF NOT EXISTS FOR (n:TargetList) REQUIRE n.name IS UNIQUE
