// Load targets
// One Target for each name, held by this list with what the list says of it. Where a list of another language has the name, this
// one's target is called after its language: chef (de). What is called so already stays so.
// takes: $rows list = []: rows of [name, title, category, names, language, names of the targets that it combines]
// takes: $kind string = 'list': list, or groups where a source of statements brings them
// takes: $source string: name of the list
// takes: $import_id string: id of the load
// takes: $since int = 1: number of the import within its source, kept by what it brings first
// returns: shared int: targets that another list has too
// returns: called list<string>: names that stand in the place of those that a list of another language has
CALL () {
  MATCH (other:TargetList)
  RETURN coalesce(max(other.place), 0) + 1 AS place
}
MERGE (list:TargetList {name: $source})
ON CREATE SET list.place = place
SET list.kind = $kind
WITH list
UNWIND $rows AS row
OPTIONAL MATCH (other:Target {name: row[0]})
WHERE other.language <> row[4] AND EXISTS { (another:TargetList)-[:HOLDS]->(other) WHERE another <> list }
OPTIONAL MATCH (list)-[:HOLDS]->(called:Target {name: row[0] + ' (' + row[4] + ')'})
WITH list, row, CASE WHEN other IS NULL AND called IS NULL THEN row[0] ELSE row[0] + ' (' + row[4] + ')' END AS name
MERGE (t:Target {name: name})
SET t.language = row[4]
MERGE (list)-[held:HOLDS]->(t)
ON CREATE SET held.since = $since, held.unless = []
SET held.title = row[1], held.category = row[2], held.names = row[3], held.parts = CASE row[5] WHEN [] THEN null ELSE row[5] END,
  held.import_id = $import_id
RETURN count(CASE WHEN EXISTS { (another:TargetList {kind: 'list'})-[:HOLDS]->(t) WHERE another <> list } THEN 1 END) AS shared,
  collect(CASE WHEN name <> row[0] THEN name END) AS called
