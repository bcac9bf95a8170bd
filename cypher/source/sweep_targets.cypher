// Remove what an earlier load of a target list left
// takes: $source string: name of the list
// takes: $import_id string: id of the load that stays; '' removes all
MATCH (t:Target {source: $source})
WHERE t.import_id <> $import_id
DETACH DELETE t
