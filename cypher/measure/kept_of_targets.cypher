// Kept counts of each target
// The block that stands in place of "counts of each target" where the counts are given.
// takes: $target_counts list = []: rows of measure/target_counts, as lists
// takes: $source string = null: name of the source, every source where null
// takes: $category string = null: one category only
// returns: target string: name of the target
// returns: category string: its category in the lists
// returns: n int: statements about it in a source
// returns: positive int: positive ones
// returns: negative int: negative ones
// returns: neutral int: neutral ones
// returns: labelled int: those that carry a label of the measure
UNWIND $target_counts AS row
MATCH (t:Target)
WHERE elementId(t) = row[0] AND row[1] = coalesce($category, row[1]) AND row[2] = coalesce($source, row[2])
WITH t, row[1] AS category, row[3] AS n, row[4] AS positive, row[5] AS negative, row[6] AS neutral, row[7] AS labelled
// end of shared
RETURN t.name AS target, category, n, positive, negative, neutral, labelled
