// Groups of posts
// What a post implies is about a group, which is a target of the posts' source, whatever a list calls it.
MATCH (p:Statement)-[r:IMPLIES]->(t:Target)
WITH p, r, t, [word IN split(replace(toLower(normalize(r.group)), '_', ' '), ' ') WHERE word <> ''] AS words
WITH p, r, t, normalize(substring(reduce(text = '', word IN words | text + ' ' + word), 1)) AS name
WHERE NOT t.name IN [name, name + ' (en)'] OR NOT EXISTS { (:TargetList {name: r.source})-[:HOLDS]->(t) }
CALL (p, r, t, name) {
  OPTIONAL MATCH (foreign:Target {name: name})
  WHERE foreign.language <> 'en'
  WITH p, r, t, name, CASE WHEN t.name IN [name, name + ' (en)'] THEN t.name WHEN foreign IS NULL THEN name ELSE name + ' (en)' END AS called
  MERGE (list:TargetList {name: r.source})
  ON CREATE SET list.kind = 'groups'
  MERGE (group:Target {name: called})
  ON CREATE SET group.language = 'en', group.title = r.group
  MERGE (list)-[held:HOLDS]->(group)
  ON CREATE SET held.category = r.category, held.title = r.group, held.names = [name], held.unless = [], held.import_id = r.import_id,
    held.since = r.since
  FOREACH (_ IN CASE WHEN group <> t THEN [1] ELSE [] END |
    CREATE (p)-[new:IMPLIES]->(group)
    SET new = properties(r)
    DELETE r
  )
} IN TRANSACTIONS OF 2000 ROWS
