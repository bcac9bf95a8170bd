// Load what people call the relations
// The label stands as name and phrase; the relation's own ones are kept in `own`. Of several sources the first by its name.
// takes: $rows list = []: rows of [type, label]
// takes: $source string: name of the source
UNWIND $rows AS row
MATCH (r:Relation {type: row[0]})
WITH r, row, coalesce(r.labelled_by, []) AS by, coalesce(r.labels, []) AS labels
WITH r, row, by, labels, size([one IN by WHERE one < $source]) AS place, CASE WHEN $source IN by THEN 1 ELSE 0 END AS again
WITH r, by[..place] + [$source] + by[place + again..] AS by, labels[..place] + [row[1]] + labels[place + again..] AS labels
SET r.own = coalesce(r.own, [r.name, r.template]), r.labelled_by = by, r.labels = labels, r.name = labels[0], r.template = labels[0]
