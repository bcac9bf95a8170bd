// Link targets to the targets that they combine
// A part is a name or alias of a target whose list is of the same language: black woman combines black and woman.
// Both sides are grouped by name, so that no target is compared with every other.
// returns: links int: COMBINES relationships that are there afterwards
// changes: targets
CALL () {
  MATCH (t:Target)
  WHERE t.parts IS NOT NULL
  UNWIND t.parts AS name
  RETURN name, coalesce(t.language, 'en') AS language, t AS whole, null AS part
  UNION ALL
  MATCH (p:Target)
  UNWIND p.names AS name
  RETURN name, coalesce(p.language, 'en') AS language, null AS whole, p AS part
}
WITH name, language, collect(whole) AS wholes, collect(part) AS parts
UNWIND wholes AS t
UNWIND parts AS p
WITH t, p
WHERE p <> t
MERGE (t)-[c:COMBINES]->(p)
RETURN count(DISTINCT c) AS links
