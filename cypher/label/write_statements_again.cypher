// Write labels of sentences whose scored text stands
// takes: $rows list = []: rows of [element id, label, score]
// takes: $label string = 'sentiment': property of the label
// takes: $score string = 'sentiment_score': property of the score
// takes: $by string = 'sentiment_by': property that says who labelled
// takes: $scorer string = '': who labelled
// takes: $was string = 'sentiment_was': property that says what the label was, and since which import it is another
// takes: $imports map = {}: number of the newest import of each source
UNWIND $rows AS row
MATCH (s)
WHERE elementId(s) = row[0]
// A label that changes leaves what it was, and one that changes back leaves nothing.
WITH s, row, s[$label] AS before, '@' + $imports[s.source] AS newest
FOREACH (was IN CASE WHEN before <> coalesce(row[1], '') THEN [before + newest] ELSE [] END |
  SET s[$was] = CASE WHEN NOT coalesce(s[$was], '') ENDS WITH newest THEN was WHEN s[$was] <> coalesce(row[1], '') + newest THEN s[$was] END
)
SET s[$label] = row[1], s[$score] = row[2], s[$by] = $scorer
