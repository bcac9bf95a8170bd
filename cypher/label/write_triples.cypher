// Write sentences and labels of triples
// takes: $rows list = []: rows of [element id, label, score, sentence]
// takes: $label string = 'sentiment': property of the label
// takes: $score string = 'sentiment_score': property of the score
// takes: $by string = 'sentiment_by': property that says who labelled
// takes: $scorer string = '': who labelled
// changes: labels
// properties: $label $score $by sentence
UNWIND $rows AS row
MATCH ()-[r]->()
WHERE elementId(r) = row[0]
SET r[$label] = row[1], r[$score] = row[2], r[$by] = $scorer, r.sentence = row[3]
