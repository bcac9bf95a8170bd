// Load targets
// One Target for each name. A name that another list brought first keeps that list's category.
// takes: $rows list = []: rows of [name, title, category, names]
// takes: $source string: name of the list
// takes: $import_id string: id of the load
// takes: $since int = 1: number of the import within its source, kept by what it brings first
// returns: written int: targets of this list that now stand as it says
UNWIND $rows AS row
MERGE (t:Target {name: row[0]})
ON CREATE SET t.source = $source, t.since = $since
WITH t, row WHERE t.source = $source
SET t.title = row[1], t.category = row[2], t.names = row[3], t.import_id = $import_id
RETURN count(t) AS written
