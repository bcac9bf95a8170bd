// Numbers of entities, for embed train --features properties
// How many wikis have a page of an entity of a source, as a logarithm.
// takes: $source string = null: name of the source, every source where null
// returns: key string: key of the entity
// returns: sitelinks float: natural logarithm of one more than the number of wikis
MATCH (n:Entity)
WHERE n.sitelinks IS NOT NULL AND ($source IS NULL OR EXISTS { (n)-[{source: $source}]-() })
RETURN n.key AS key, log(1 + n.sitelinks) AS sitelinks
