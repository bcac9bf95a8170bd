// Load descriptions of entities
// Only of entities that are in the graph. Several sources can give the same property: the first of them by its name shows. What
// only one source gives stays beside it. The order of the loads does not matter.
// takes: $rows list = []: rows of [key, properties, names of those that are not null]
// takes: $source string: name of the source
UNWIND $rows AS row
MATCH (e:Entity {key: row[0]})
WITH e, row, coalesce(e.described, []) AS names, coalesce(e.described_by, []) AS by
WITH e, row, names, by, range(0, size(by) - 1) AS places
WITH e, row, names, by, [at IN places WHERE by[at] = $source | names[at]] AS before,
  [at IN places WHERE by[at] < $source OR by[at] > $source AND NOT names[at] IN row[2]] AS left
WITH e, row, names, by, before, left, [at IN left | names[at]] AS others
FOREACH (name IN [one IN before + keys(row[1]) WHERE NOT one IN others] | SET e[name] = row[1][name])
WITH e, names, by, left, [one IN row[2] WHERE NOT one IN others] AS given
SET e.described = [at IN left WHERE by[at] < $source | names[at]] + given + [at IN left WHERE by[at] > $source | names[at]],
  e.described_by = [at IN left WHERE by[at] < $source | by[at]] + [one IN given | $source] + [at IN left WHERE by[at] > $source | by[at]]
