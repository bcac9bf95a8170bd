// Show on each target what the first list says of it
// For people: a number goes by what its own lists say.
MATCH (list:TargetList)-[held:HOLDS]->(t:Target)
WITH t, held
ORDER BY list.kind DESC, list.place
WITH t, collect(held)[0] AS held
WHERE t.category IS NULL OR [t.category, t.title, t.names] <> [held.category, held.title, held.names]
SET t.category = held.category, t.title = held.title, t.names = held.names
