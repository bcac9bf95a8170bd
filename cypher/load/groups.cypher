// Find or make the targets of groups
// A target of a list, or of another source, whose names hold one of a group's names, the earlier name first; where none does, a
// Target of this source, which link/groups gives its category and title.
// Groups and targets are brought together by name, so that no group is compared with every target.
// takes: $rows list = []: rows of [name of the group, names to look for]
// takes: $source string: name of the source
// takes: $import_id string: id of the import
// takes: $since int = 1: number of the import within its source, kept by what it brings first
// returns: group string: name of the group
// returns: target string: name of its target
CALL () {
  UNWIND $rows AS row
  UNWIND range(0, size(row[1]) - 1) AS place
  RETURN row[1][place] AS name, [row, place] AS asked, null AS target
  UNION ALL
  MATCH (t:Target)
  WHERE t.source <> $source AND coalesce(t.language, 'en') = 'en'
  UNWIND t.names AS name
  RETURN name, null AS asked, t.name AS target
}
WITH name, collect(asked) AS asked, collect(target) AS targets
UNWIND asked AS one
UNWIND CASE targets WHEN [] THEN [null] ELSE targets END AS target
WITH one[0] AS row, one[1] AS place, target
ORDER BY place, target
WITH row, collect(target)[0] AS listed
OPTIONAL MATCH (foreign:Target {name: row[0]})
WHERE foreign.source <> $source
WITH row, listed, CASE WHEN foreign IS NULL THEN row[0] ELSE row[0] + ' (en)' END AS name
FOREACH (_ IN CASE WHEN listed IS NULL THEN [1] ELSE [] END |
  MERGE (t:Target {name: name})
  ON CREATE SET t.source = $source, t.since = $since, t.names = [row[0]], t.language = 'en', t.implied = true, t.category = 'unknown',
    t.title = row[0]
  SET t.import_id = $import_id
)
RETURN row[0] AS group, coalesce(listed, name) AS target
