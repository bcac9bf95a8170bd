// Write labels of sentences
// takes: $rows list = []: rows of [element id, label properties]
UNWIND $rows AS row
MATCH (s)
WHERE elementId(s) = row[0]
SET s += row[1]
