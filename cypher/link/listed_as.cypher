// Say which targets of lists a group is
// takes: $rows list = []: rows of [group, target, place, names of the lists]
CALL () {
  MATCH (group:Target)-[listed:LISTED_AS]->(t:Target)
  WHERE NOT [group.name, t.name, listed.place, listed.lists] IN $rows
  DELETE listed
}
UNWIND $rows AS row
MATCH (group:Target {name: row[0]})
MATCH (t:Target {name: row[1]})
MERGE (group)-[listed:LISTED_AS]->(t)
SET listed.place = row[2], listed.lists = row[3]
