// Hand over targets that another list holds
// What a list no longer has stays where another list of the user's has it, and is then that list's: the first by its name.
// takes: $source string: name of the list
// takes: $import_id string: id of the load that stays; '' where all goes
// changes: targets
MATCH (t:Target {source: $source})<-[holds:HOLDS]-(list:TargetList)
WHERE t.import_id <> $import_id AND list.name <> $source AND list.of IS NULL
WITH t, list, holds
ORDER BY list.name
WITH t, collect({name: list.name, import_id: holds.import_id})[0] AS next
SET t.source = next.name, t.import_id = next.import_id
