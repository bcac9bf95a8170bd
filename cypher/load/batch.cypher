// Claim a batch of a load
// Gives a row the first time only: a transaction whose answer was lost is tried again, and must not create twice.
// takes: $source string: name of the source
// takes: $batch int = 1: number of the batch within its load, from 1
// returns: batch int: the number
MATCH (s:Source {name: $source})
WHERE coalesce(s.batch, 0) < $batch
SET s.batch = $batch
RETURN s.batch AS batch
