// Names of targets
// returns: target string: the target's name, which is its key
// returns: names list<string>: its names and aliases
// returns: language string: language of its list
// returns: combines bool: whether it combines other groups
// returns: lists list<string>: names of the lists that hold it
MATCH (t:Target)
RETURN t.name AS target, t.names AS names, coalesce(t.language, 'en') AS language, t.parts IS NOT NULL AS combines,
  [(list:TargetList)-[:HOLDS]->(t) | list.name] AS lists
