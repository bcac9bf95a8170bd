// Lists of targets
// Targets of an earlier harmgraph are held by the list of their source. Those that posts alone brought are held from the next load on.
MATCH (t:Target)
WHERE t.source IS NOT NULL AND t.implied IS NULL AND NOT EXISTS { (:TargetList)-[:HOLDS]->(t) }
CALL (t) {
  MERGE (list:TargetList {name: t.source})
  MERGE (list)-[holds:HOLDS]->(t)
  SET holds.import_id = t.import_id
} IN TRANSACTIONS OF 2000 ROWS
