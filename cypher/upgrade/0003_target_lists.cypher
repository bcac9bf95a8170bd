// Lists of targets
// What a list says of a target stands on HOLDS. Targets that were made for a source are its groups; those of posts come next.
MATCH (t:Target)
WHERE t.source IS NOT NULL AND t.implied IS NULL
CALL (t) {
  OPTIONAL MATCH (made:Source {name: t.source, importer: 'targets@made'})
  WITH t, made IS NOT NULL AS made, CASE WHEN made IS NULL THEN t.source ELSE left(t.source, size(t.source) - size(' targets')) END AS name
  OPTIONAL MATCH (of:Source {name: name})
  MERGE (list:TargetList {name: name})
  ON CREATE SET list.kind = CASE WHEN made THEN 'groups' ELSE 'list' END
  MERGE (list)-[held:HOLDS]->(t)
  SET held.category = t.category, held.title = t.title, held.names = t.names, held.parts = t.parts, held.unless = [],
    held.since = coalesce(t.since, 1), held.import_id = CASE WHEN made THEN coalesce(of.import_id, '') ELSE t.import_id END
  REMOVE t.source, t.import_id, t.since, t.parts
} IN TRANSACTIONS OF 2000 ROWS
