// Events with one of some words
// The words travel as a parameter, because the database looks them up in a set only then: a tenth of the time.
// takes: $words list<string> = ['girl']: the first words of names of targets
// returns: id string: element id of the event
// returns: text string: its text
// returns: language string: its language
MATCH (e:Event)
WHERE any(word IN split(e.text, ' ') WHERE word IN $words)
RETURN elementId(e) AS id, e.text AS text, e.language AS language
