// Name the groups of posts as most annotators do
// Category and title of a group in the list of its source: the commonest, of equally common ones the first in the alphabet.
// returns: groups int: how many
MATCH (list:TargetList {kind: 'groups'})-[held:HOLDS]->(t:Target)
WHERE EXISTS { (t)<-[:IMPLIES {source: list.name}]-() }
CALL (list, t) {
  MATCH (t)<-[r:IMPLIES {source: list.name}]-()
  WITH r.category AS category, count(r) AS n
  ORDER BY category = 'unknown', n DESC, category
  RETURN collect(category)[0] AS category
}
CALL (list, t) {
  MATCH (t)<-[r:IMPLIES {source: list.name}]-()
  WITH r.group AS title, count(r) AS n
  ORDER BY n DESC, title
  RETURN collect(title)[0] AS title
}
SET held.category = category, held.title = title
RETURN count(t) AS groups
