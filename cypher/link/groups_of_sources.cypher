// Lists of the groups that sources bring
// A source whose posts imply something about groups has a list of these, under its own name.
// returns: links int: HOLDS relationships of these lists
// changes: targets
MATCH (t:Target)<-[r:IMPLIES]-(:Statement)
WITH DISTINCT r.source AS source, t
MERGE (list:TargetList {name: source})
SET list.of = source
MERGE (list)-[holds:HOLDS]->(t)
SET holds.import_id = ''
RETURN count(holds) AS links
