// Version of the server
// returns: name string: product
// returns: version string: such as 5.26.29
// returns: edition string: community or enterprise
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN name, versions[0] AS version, edition
