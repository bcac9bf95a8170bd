// Mark labels of other measures as out of date: sentences
// The sentence that was scored changed, so the next run of their scorers looks at them again.
// takes: $rows list = []: rows of [element id, properties to remove as a map to null]
// changes: labels
UNWIND $rows AS row
MATCH (s)
WHERE elementId(s) = row[0]
SET s += row[1]
