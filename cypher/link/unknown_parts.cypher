// Parts of targets that no list has
// takes: $source string: name of the list
// returns: target string: name of the target
// returns: part string: name that no target of the same language has
MATCH (t:Target {source: $source})
WHERE t.parts IS NOT NULL
UNWIND t.parts AS part
WITH t, part
WHERE NOT EXISTS {
  MATCH (t)-[:COMBINES]->(p:Target)
  WHERE part IN p.names
}
RETURN t.name AS target, part
ORDER BY target, part
