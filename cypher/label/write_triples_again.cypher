// Write labels of triples whose sentence stands
// takes: $rows list = []: rows of [element id, label, score]
// takes: $label string = 'sentiment': property of the label
// takes: $score string = 'sentiment_score': property of the score
// takes: $by string = 'sentiment_by': property that says who labelled
// takes: $scorer string = '': who labelled
// takes: $was string = 'sentiment_was': property that says what the label was, and since which import it is another
// takes: $imports map = {}: number of the newest import of each source
UNWIND $rows AS row
MATCH ()-[r]->()
WHERE elementId(r) = row[0]
// A label that changes leaves what it was, and one that changes back leaves nothing.
WITH r, row, r[$label] AS before, '@' + $imports[r.source] AS newest
FOREACH (was IN CASE WHEN before <> coalesce(row[1], '') THEN [before + newest] ELSE [] END |
  SET r[$was] = CASE WHEN NOT coalesce(r[$was], '') ENDS WITH newest THEN was WHEN r[$was] <> coalesce(row[1], '') + newest THEN r[$was] END
)
SET r[$label] = row[1], r[$score] = row[2], r[$by] = $scorer
