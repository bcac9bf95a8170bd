// Sentences in which targets are still to be found
// Their targets are found in their text, and the names of targets are others than when this was done.
// takes: $digest string = '': digest of the names of targets
// returns: id string: element id of the Statement
// returns: text string: the sentence
// returns: language string: its language
MATCH (s:Statement)
WHERE s.searched <> $digest
RETURN elementId(s) AS id, s.text AS text, coalesce(s.language, 'en') AS language
