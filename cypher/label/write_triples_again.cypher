// Write labels of triples whose sentence stands
// takes: $rows list = []: rows of [element id, label, score]
// takes: $label string = 'sentiment': property of the label
// takes: $score string = 'sentiment_score': property of the score
// takes: $by string = 'sentiment_by': property that says who labelled
// takes: $scorer string = '': who labelled
// changes: labels
// properties: $label $score $by
UNWIND $rows AS row
MATCH ()-[r]->()
WHERE elementId(r) = row[0]
SET r[$label] = row[1], r[$score] = row[2], r[$by] = $scorer
