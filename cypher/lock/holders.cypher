// Commands that are changing the graph
// Lists the open transactions that harmgraph marked as its lock, without those that were ended and whose connection is gone.
// takes: $database string = 'neo4j': name of the database
// takes: $mark string = '': mark of a lock that is left out
// returns: purpose string: the command
// returns: pid int: its process
// returns: seconds int: how long it has held the lock
SHOW TRANSACTIONS YIELD database, metaData, elapsedTime, status
WHERE metaData.harmgraph IS NOT NULL AND database = $database AND NOT status STARTS WITH 'Terminated'
  AND ($mark = '' OR coalesce(metaData.statement, '') <> $mark)
RETURN metaData.harmgraph AS purpose, metaData.pid AS pid, elapsedTime.seconds AS seconds
