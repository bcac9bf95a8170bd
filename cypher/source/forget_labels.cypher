// Forget what a source called the relations
// takes: $source string: name of the source
MATCH (r:Relation)
WHERE $source IN r.labelled_by
WITH r, [at IN range(0, size(r.labelled_by) - 1) WHERE r.labelled_by[at] <> $source] AS left
WITH r, [at IN left | r.labelled_by[at]] AS by, [at IN left | r.labels[at]] AS labels
SET r.name = coalesce(labels[0], r.own[0]), r.template = coalesce(labels[0], r.own[1]),
  r.labelled_by = CASE WHEN size(by) > 0 THEN by END, r.labels = CASE WHEN size(by) > 0 THEN labels END,
  r.own = CASE WHEN size(by) > 0 THEN r.own END
