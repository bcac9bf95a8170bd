// Forget the names that a source gave to entities
// Where another source names one too, that name shows again; its `term` is null until it is set anew (source/write_terms).
// takes: $source string: name of the source
MATCH (e:Entity)
WHERE $source IN e.named_by
CALL (e) {
  WITH e, coalesce(e.names, [e.name]) AS names, [at IN range(0, size(e.named_by) - 1) WHERE e.named_by[at] <> $source] AS left
  WITH e, [at IN left | e.named_by[at]] AS by, [at IN left | names[at]] AS names, e.named_by[0] = $source AS first
  SET e.named_by = CASE WHEN size(by) > 0 THEN by END, e.names = CASE WHEN size(by) > 1 THEN names END, e.name = names[0],
    e.term = CASE WHEN first THEN null ELSE e.term END
} IN TRANSACTIONS OF 10000 ROWS
