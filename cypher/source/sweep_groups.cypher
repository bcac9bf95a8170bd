// Remove targets of groups that no post implies any more
// takes: $source string: name of the source that made them
MATCH (t:Target {source: $source, implied: true})
WHERE NOT EXISTS { (t)<-[:IMPLIES]-() }
DETACH DELETE t
