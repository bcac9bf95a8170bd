// Load targets
// One Target for each name, which the list then holds. A name that another list of the same language brought first keeps that
// list's category; where a list of another language has it, this one's is called after its language: chef (de). What is called
// so already stays so. A target that posts alone brought becomes the list's.
// takes: $rows list = []: rows of [name, title, category, names, language, names of the targets that it combines]
// takes: $source string: name of the list
// takes: $import_id string: id of the load
// takes: $since int = 1: number of the import within its source, kept by what it brings first
// returns: written int: targets of this list that are now as it says
// returns: called list<string>: names that replace those of a list in another language
// changes: targets
MERGE (list:TargetList {name: $source})
WITH list
UNWIND $rows AS row
OPTIONAL MATCH (other:Target {name: row[0]}) WHERE other.source <> $source AND coalesce(other.language, 'en') <> row[4]
OPTIONAL MATCH (called:Target {name: row[0] + ' (' + row[4] + ')', source: $source})
WITH list, row, CASE WHEN other IS NULL AND called IS NULL THEN row[0] ELSE row[0] + ' (' + row[4] + ')' END AS name
MERGE (t:Target {name: name})
ON CREATE SET t.source = $source, t.since = $since
MERGE (list)-[holds:HOLDS]->(t)
SET holds.import_id = $import_id
WITH t, row, name WHERE t.source = $source OR t.implied
SET t.since = CASE t.source WHEN $source THEN t.since ELSE $since END, t.source = $source, t.implied = null
SET t.parts = CASE row[5] WHEN [] THEN null ELSE row[5] END
SET t.title = row[1], t.category = row[2], t.names = row[3], t.language = row[4], t.import_id = $import_id
RETURN count(t) AS written, collect(CASE WHEN name <> row[0] THEN name END) AS called
