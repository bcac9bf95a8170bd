// Note what labels were before they change: triples
// A label that changes leaves what it was at the newest import of its source, and one that changes back leaves nothing.
// takes: $rows list = []: rows of [element id, the present label, the new label, or '' for none]
// takes: $was string = 'sentiment_was': property that says what the label was, and since which import it is another
// takes: $imports map = {}: number of the newest import of each source
// changes: labels
// properties: $was
UNWIND $rows AS row
MATCH ()-[r]->()
WHERE elementId(r) = row[0]
WITH r, row, r[$was] AS noted, '@' + $imports[r.source] AS newest
SET r[$was] = CASE
  WHEN NOT coalesce(noted, '') ENDS WITH newest THEN row[1] + newest
  WHEN noted <> row[2] + newest THEN noted
END
