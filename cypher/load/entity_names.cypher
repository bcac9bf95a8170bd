// Load names of entities
// Only of entities that are in the graph. Where several sources name one, all names are kept, in the order of the sources, and the
// first is the one that shows: the order of the loads does not matter.
// takes: $rows list = []: rows of [key, name, the name normalised]
// takes: $source string: name of the source
UNWIND $rows AS row
MATCH (e:Entity {key: row[0]})
WITH e, row, coalesce(e.named_by, []) AS by, coalesce(e.names, [e.name]) AS names
WITH e, row, by, names, size([one IN by WHERE one < $source]) AS place, CASE WHEN $source IN by THEN 1 ELSE 0 END AS again
WITH e, row, place, by[..place] + [$source] + by[place + again..] AS by, names[..place] + [row[1]] + names[place + again..] AS names
SET e.named_by = by, e.names = CASE WHEN size(by) > 1 THEN names[..size(by)] END, e.name = names[0],
  e.term = CASE place WHEN 0 THEN row[2] ELSE e.term END
