// Links of sentences to the targets that stand in their text
// returns: links int: how many
MATCH (s:Statement)-[a:ABOUT]->(:Target)
WHERE s.searched IS NOT NULL
RETURN count(a) AS links
