// Load concepts
// Creates the concepts that are missing.
// takes: $rows list = []: rows of [key, text, language]
// returns: ids list: pairs of key and element id, valid for one load
UNWIND $rows AS row
MERGE (c:Concept {key: row[0]})
ON CREATE SET c.text = row[1], c.language = row[2]
RETURN collect([row[0], elementId(c)]) AS ids
