// Mark labels of other measures as out of date: triples
// Their sentence changed, so the next run of their scorers looks at them again.
// takes: $rows list = []: rows of [element id, properties to remove as a map to null]
// changes: labels
UNWIND $rows AS row
MATCH ()-[r]->()
WHERE elementId(r) = row[0]
SET r += row[1]
