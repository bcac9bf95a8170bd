// Kept counts of each target
// The block in place of "counts of each target" where the counts are given.
// takes: $target_counts list = []: rows of measure/target_counts, as lists
// takes: $source string = null: name of the source, every source where null
// takes: $category string = null: one category only
// returns: target string: name of the target
// returns: n int: statements about it in a source
// returns: positive int: positive ones
// returns: negative int: negative ones
// returns: neutral int: neutral ones
// returns: labelled int: those that carry a label of the measure
UNWIND $target_counts AS row
MATCH (t:Target)
WHERE elementId(t) = row[0] AND row[1] = coalesce($source, row[1]) AND t.category = coalesce($category, t.category)
WITH t, row[2] AS n, row[3] AS positive, row[4] AS negative, row[5] AS neutral, row[6] AS labelled
// end of shared
RETURN t.name AS target, n, positive, negative, neutral, labelled
