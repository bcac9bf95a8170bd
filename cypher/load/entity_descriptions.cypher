// Load descriptions of entities
// Only of entities that stand. Where several sources describe one, the first of them by its name is kept.
// takes: $rows list = []: rows of [key, properties, names of those that are not null]
// takes: $source string: name of the source
UNWIND $rows AS row
MATCH (e:Entity {key: row[0]})
WHERE coalesce(e.described_by, $source) >= $source
FOREACH (other IN CASE WHEN e.described_by <> $source THEN e.described ELSE [] END | SET e[other] = null)
SET e += row[1]
SET e.described_by = $source, e.described = row[2]
