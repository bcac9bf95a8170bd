// Load events
// Creates the events that are missing; a concept that is in the graph already gets the label Event.
// takes: $rows list = []: rows of [key, text, language, Event]
// returns: ids list: pairs of key and element id, valid for one load
UNWIND $rows AS row
MERGE (c:Concept {key: row[0]})
ON CREATE SET c.text = row[1], c.language = row[2]
SET c:Event
RETURN collect([row[0], elementId(c)]) AS ids
