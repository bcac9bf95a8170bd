// What the lists hold
// returns: list string: name of the list
// returns: kind string: list, or groups of a source
// returns: target string: the target's name, which is its key
// returns: category string: its category, as the list says
// returns: names list<string>: its names and aliases
// returns: language string: language of its names
// returns: parts list<string>: names of the targets that it combines
// returns: implied bool: whether it is a group that posts of this source imply something about
MATCH (list:TargetList)-[held:HOLDS]->(t:Target)
RETURN list.name AS list, list.kind AS kind, t.name AS target, held.category AS category, held.names AS names, t.language AS language,
  coalesce(held.parts, []) AS parts, list.kind = 'groups' AND EXISTS { (t)<-[:IMPLIES {source: list.name}]-() } AS implied
ORDER BY list, target
