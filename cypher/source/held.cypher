// What stands in the graph
// Counts nodes by label, for a load that needs an empty graph. One target list may be there, the lock, and what the very
// same import left when it was killed before it was ever complete.
// takes: $targets string = null: name of the target list that may be there
// takes: $source string = null: name of the source that is to be loaded
// takes: $import_id string = null: id of the import that is to begin
// returns: label string: label of nodes that stand
// returns: count int: how many
OPTIONAL MATCH (own:Source {name: $source, import_id: $import_id, state: 'loading'})
WHERE own.previous IS NULL AND own.imported_at IS NULL
  AND NOT EXISTS { MATCH (other:Source) WHERE NOT other.name IN [$source, coalesce($targets, '')] }
WITH count(own) > 0 AS unfinished
MATCH (n)
WHERE NOT n:Lock AND NOT n:Schema AND NOT n:TargetList AND NOT (n:Target AND n.source = coalesce($targets, '')) AND NOT (n:Source AND n.name = coalesce($targets, ''))
  AND NOT (unfinished AND (n:Source OR n:Concept OR n:Entity OR n:Statement OR n:Relation OR (n:Target AND n.source = $source)))
RETURN [label IN labels(n) WHERE NOT label IN ['Event', 'Post']][0] AS label, count(*) AS count
ORDER BY count DESC
