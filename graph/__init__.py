"""The only package that talks to Neo4j: schema, records, connection, embedded server, writer, reader."""
