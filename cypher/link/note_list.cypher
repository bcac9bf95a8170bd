// Note what a target list is
// takes: $list string: name of the list
// takes: $of string = null: the source that brings it, null for a list of the user's
// takes: $digest string: digest of what it holds
// changes: targets
MATCH (list:TargetList {name: $list})
SET list.of = $of, list.digest = $digest
