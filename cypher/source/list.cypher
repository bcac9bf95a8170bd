// Loaded sources
// returns: source map: properties of the Source
MATCH (s:Source)
RETURN s {.*, imported_at: toString(s.imported_at)} AS source
ORDER BY s.name
