// Let go of what a target list no longer has
// takes: $source string: name of the list
// takes: $import_id string: id of the load that stays; '' where all goes
// changes: targets
MATCH (:TargetList {name: $source})-[holds:HOLDS]->(:Target)
WHERE holds.import_id <> $import_id
DELETE holds
