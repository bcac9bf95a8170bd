// Commands that work
// Lists the processes that have a transaction of harmgraph's open on the server, those that change the graph first.
// takes: $pid int = 0: a process that is left out
// returns: command string: the command
// returns: pid int: its process
// returns: changes bool: whether it holds the lock of commands that change the graph
// returns: seconds int: for how long
SHOW TRANSACTIONS YIELD metaData, elapsedTime, status
WHERE metaData.pid IS NOT NULL AND metaData.pid <> $pid AND NOT status STARTS WITH 'Terminated'
RETURN coalesce(max(metaData.harmgraph), max(metaData.command), 'a program') AS command, metaData.pid AS pid,
       max(metaData.harmgraph) IS NOT NULL AS changes, max(elapsedTime.seconds) AS seconds
ORDER BY changes DESC, seconds DESC
