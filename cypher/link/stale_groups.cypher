// Remove targets of groups that no post implies any more
// Those that posts alone brought; a list's targets stay.
// changes: targets
MATCH (t:Target {implied: true})
WHERE NOT EXISTS { (t)<-[:IMPLIES]-() }
DETACH DELETE t
