// Forget how a source described entities
// Where another source gave the same property, its value comes back with that source's next load.
// takes: $source string: name of the source
MATCH (e:Entity)
WHERE $source IN e.described_by
CALL (e) {
  WITH e, e.described AS names, e.described_by AS by, range(0, size(e.described_by) - 1) AS places
  FOREACH (at IN [at IN places WHERE by[at] = $source] | SET e[names[at]] = null)
  WITH e, [at IN places WHERE by[at] <> $source | names[at]] AS names, [at IN places WHERE by[at] <> $source | by[at]] AS by
  SET e.described = CASE WHEN size(by) > 0 THEN names END, e.described_by = CASE WHEN size(by) > 0 THEN by END
} IN TRANSACTIONS OF 10000 ROWS
