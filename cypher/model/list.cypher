// Models
// returns: model map: properties of the Model
// returns: sources list<string>: names of the sources it was trained on
MATCH (m:Model)
OPTIONAL MATCH (m)-[:TRAINED_ON]->(s:Source)
WITH m, collect(s.name) AS sources
ORDER BY m.name
RETURN m {.*} AS model, sources
