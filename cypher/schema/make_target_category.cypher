// Index target_category
// Finds each Target by its category.
CREATE INDEX target_category IF NOT EXISTS FOR (n:Target) ON (n.category)
