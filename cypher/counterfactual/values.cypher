// Targets as values of an attribute
// The targets of every category, as they are written in their lists.
// returns: category string: category of the target
// returns: value string: the target as its list writes it
MATCH (t:Target)
WHERE coalesce(t.language, 'en') = 'en'
RETURN t.category AS category, coalesce(t.title, t.name) AS value
ORDER BY category, value
