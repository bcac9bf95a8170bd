// Who labelled sentences
// Sentences of a source, whatever they are about, by their scorer. A model's samples are about no target.
// takes: $source string = null: name of the source, every source where null
// takes: $by string = 'sentiment_by': property that says who labelled
// returns: by string: who labelled
// returns: statements int: how many
MATCH (s:Statement)
WHERE s.source = coalesce($source, s.source) AND s[$by] IS NOT NULL
RETURN s[$by] AS by, count(*) AS statements
ORDER BY statements DESC, by
