// Names of targets
// returns: target string: the target's name, which is its key
// returns: names list<string>: its names and aliases
// returns: language string: language of its list
// returns: combines bool: whether it combines other groups
MATCH (t:Target)
RETURN t.name AS target, t.names AS names, coalesce(t.language, 'en') AS language, t.parts IS NOT NULL AS combines
