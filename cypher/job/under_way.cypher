// Runs of jobs that are under way
// Lists the open transactions that mark a run on this server, from whatever machine; the server drops one when its process dies.
// takes: $database string = 'neo4j': name of the database
// returns: job string: name of the job
// returns: run string: id of its Run
// returns: host string: the machine that runs it
// returns: pid int: its process there
// returns: since string: when it began
SHOW TRANSACTIONS YIELD database, metaData, startTime
WHERE metaData.harmgraph_job IS NOT NULL AND database = $database
RETURN metaData.harmgraph_job AS job, metaData.run AS run, metaData.host AS host, metaData.pid AS pid, startTime AS since
