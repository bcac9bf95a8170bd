// Keep targets that posts of other sources imply
// A list, or a source, that goes leaves such a target to the first source whose posts imply it.
// takes: $source string: name of the list or source
// takes: $import_id string: id of the load that stays; '' where all goes
// changes: targets
MATCH (t:Target {source: $source})<-[r:IMPLIES]-()
WHERE t.import_id <> $import_id AND r.source <> $source
WITH t, r
ORDER BY r.source, r.assertion
WITH t, collect(r)[0] AS r
SET t.source = r.source, t.import_id = r.import_id, t.since = r.since, t.category = r.category, t.title = r.group, t.names = [t.name],
  t.implied = true
