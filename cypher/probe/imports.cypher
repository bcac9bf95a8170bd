// The imports that stand
// returns: name string: name of a source
// returns: import_id string: its import
MATCH (s:Source)
RETURN s.name AS name, s.import_id AS import_id
