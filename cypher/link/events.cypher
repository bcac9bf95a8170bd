// Texts of events
// returns: id string: element id of the event
// returns: text string: its text
// returns: language string: its language
MATCH (e:Event)
RETURN elementId(e) AS id, e.text AS text, e.language AS language
