// Write labels of triples
// takes: $rows list = []: rows of [element id, label properties]
UNWIND $rows AS row
MATCH ()-[r]->()
WHERE elementId(r) = row[0]
SET r += row[1]
