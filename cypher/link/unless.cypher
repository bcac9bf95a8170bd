// Say in which lists a group of a source stands
// takes: $rows list = []: rows of [source, target, names of the lists]
UNWIND $rows AS row
MATCH (:TargetList {name: row[0]})-[held:HOLDS]->(:Target {name: row[1]})
SET held.unless = row[2]
