// Commands that are changing the graph
// Lists the open transactions that harmgraph marked as its lock.
// returns: purpose string: the command
// returns: pid int: its process
// returns: seconds int: how long it has held the lock
SHOW TRANSACTIONS YIELD metaData, elapsedTime
WHERE metaData.harmgraph IS NOT NULL
RETURN metaData.harmgraph AS purpose, metaData.pid AS pid, elapsedTime.seconds AS seconds
