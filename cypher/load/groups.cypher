// Find or make the targets of groups
// A Target for each name, held by the groups of the source. Most annotators give it its category and title (link/groups), and
// whose target of a list it is follows from the lists (link/listed_as).
// takes: $rows list<string> = []: names of the groups
// takes: $source string: name of the source
// takes: $import_id string: id of the import
// takes: $since int = 1: number of the import within its source, kept by what it brings first
// returns: group string: name of the group
// returns: target string: name of its target
CALL () {
  MATCH (other:TargetList)
  RETURN coalesce(max(other.place), 0) + 1 AS place
}
MERGE (list:TargetList {name: $source})
ON CREATE SET list.place = place
SET list.kind = 'groups'
WITH list
UNWIND $rows AS name
OPTIONAL MATCH (foreign:Target {name: name})
WHERE foreign.language <> 'en'
WITH list, name, CASE WHEN foreign IS NULL THEN name ELSE name + ' (en)' END AS called
MERGE (t:Target {name: called})
ON CREATE SET t.language = 'en'
MERGE (list)-[held:HOLDS]->(t)
ON CREATE SET held.since = $since, held.unless = [], held.names = [name], held.category = 'unknown', held.title = name
SET held.import_id = $import_id
RETURN name AS group, called AS target
