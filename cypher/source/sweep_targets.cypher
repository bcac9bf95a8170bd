// Remove what an earlier load of a target list left
// A target that no other list holds goes when links are made.
// takes: $source string: name of the list
// takes: $import_id string: id of the load that stays; '' removes all
MATCH (:TargetList {name: $source})-[held:HOLDS]->()
WHERE held.import_id <> $import_id
DELETE held
