// Categories of targeted groups by domain
// A post counts once for each category of groups that it implies something about. The domain is the type of its origin; of frames that a
// model predicted it is the source whose statements they are of.
// takes: $source string = null: name of the source; if null, every source whose posts people annotated
// returns: domain string: Reddit, Twitter, hate sites, or other
// returns: category string: category of the group
// returns: posts int: posts that imply something about it
MATCH (p:Post)-[r:IMPLIES]->(:Target)
WHERE p.source = coalesce($source, p.source) AND ($source IS NOT NULL OR p.predicted_by IS NULL)
WITH p, r.category AS category, toLower(p.origin) AS name
WITH p, category, CASE WHEN p.predicted_by IS NOT NULL THEN p.origin WHEN name STARTS WITH 't/' THEN 'Twitter'
    WHEN name IN ['gab', 'stormfront', 'r/incels', 'r/mensrights'] THEN 'hate sites'
    WHEN name STARTS WITH 'r/' OR name STARTS WITH 'reddit' THEN 'Reddit' ELSE 'other' END AS domain
RETURN domain, category, count(DISTINCT p) AS posts
ORDER BY domain, posts DESC, category
