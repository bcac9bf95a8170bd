// Order of the lists
// As they were loaded. What stood on targets and went to HOLDS goes, and so do the sources of targets that were made.
CALL () {
  MATCH (t:Target)
  WHERE t.source IS NOT NULL OR t.implied IS NOT NULL
  REMOVE t.source, t.import_id, t.since, t.parts, t.implied
}
CALL () {
  MATCH (made:Source {importer: 'targets@made'})
  DETACH DELETE made
}
MATCH (list:TargetList)
WHERE list.place IS NULL
OPTIONAL MATCH (source:Source {name: list.name})
WITH list, source
ORDER BY list.kind DESC, source.imported_at, list.name
WITH collect(list) AS lists
UNWIND range(0, size(lists) - 1) AS at
WITH lists[at] AS list, at + 1 AS place
SET list.place = place
