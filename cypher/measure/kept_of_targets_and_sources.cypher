// Kept counts of each target and source
// The block in place of "counts of each target and source" where the counts are given.
// takes: $target_counts list = []: rows of measure/target_counts, as lists
// takes: $source string = null: name of the source on the first side
// takes: $other string = null: name of the other source
// takes: $also list<string> = []: further sources on the first side
// takes: $category string = null: one category only
// returns: target string: name of the target
// returns: source string: name of the source
// returns: n int: statements about it
// returns: positive int: positive ones
// returns: negative int: negative ones
UNWIND $target_counts AS row
MATCH (t:Target)
WHERE elementId(t) = row[0] AND row[1] IN $also + [$source, $other] AND t.category = coalesce($category, t.category)
WITH t, row[1] AS source, row[2] AS n, row[3] AS positive, row[4] AS negative
// end of shared
RETURN t.name AS target, source, n, positive, negative
