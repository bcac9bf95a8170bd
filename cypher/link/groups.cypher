// Name the targets of groups as most annotators do
// Category and title of targets that posts alone brought: the commonest, of equally common ones the first in the alphabet.
// returns: groups int: how many
// changes: targets
MATCH (t:Target {implied: true})
CALL (t) {
  MATCH (t)<-[r:IMPLIES]-()
  WITH r.category AS category, count(r) AS n
  ORDER BY category = 'unknown', n DESC, category
  RETURN collect(category)[0] AS category
}
CALL (t) {
  MATCH (t)<-[r:IMPLIES]-()
  WITH r.group AS title, count(r) AS n
  ORDER BY n DESC, title
  RETURN collect(title)[0] AS title
}
SET t.category = category, t.title = title
RETURN count(t) AS groups
