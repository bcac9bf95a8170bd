// Targets that a model is asked about
// takes: $category string = null: one category, all where null
// takes: $language string = 'en': language of their names
// returns: target string: the target's name
MATCH (t:Target)
WHERE t.category = coalesce($category, t.category) AND coalesce(t.language, 'en') = $language
RETURN t.name AS target
ORDER BY target
