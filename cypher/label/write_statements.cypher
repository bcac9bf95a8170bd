// Write scored texts and labels of sentences
// takes: $rows list = []: rows of [element id, label, score, sentence]
// takes: $label string = 'sentiment': property of the label
// takes: $score string = 'sentiment_score': property of the score
// takes: $by string = 'sentiment_by': property that says who labelled
// takes: $scorer string = '': who labelled
// changes: labels
// properties: $label $score $by sentence
UNWIND $rows AS row
MATCH (s)
WHERE elementId(s) = row[0]
SET s[$label] = row[1], s[$score] = row[2], s[$by] = $scorer, s.sentence = row[3]
