// Write the digests of lists
// takes: $rows list = []: rows of [name of the list, digest]
UNWIND $rows AS row
MATCH (list:TargetList {name: row[0]})
SET list.digest = row[1]
