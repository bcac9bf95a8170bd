// Statements in another language
// What a scorer of one language would be given and cannot read. A code such as en-gb is of the language en.
// takes: $language string = 'en': the language that it reads
// takes: $source string = null: name of the source, every source where null
// takes: $all bool = false: also those about no target
// returns: language string: language of the statements
// returns: statements int: how many
// returns: sources list<string>: sources that have some
CALL () {
  MATCH (:Target)<-[:NAMES]-(c:Concept)
  WHERE NOT $all AND split(replace(c.language, '_', '-'), '-')[0] <> $language
  WITH DISTINCT c
  MATCH (c)-[r]-()
  WHERE r.source = coalesce($source, r.source)
  RETURN c.language AS language, r.source AS origin, count(DISTINCT r) AS k
  UNION ALL
  MATCH (c:Concept)
  WHERE $all AND split(replace(c.language, '_', '-'), '-')[0] <> $language
  MATCH (c)-[r]->(:Concept)
  WHERE r.source = coalesce($source, r.source)
  RETURN c.language AS language, r.source AS origin, count(r) AS k
  UNION ALL
  MATCH (s:Statement)
  WHERE s.source = coalesce($source, s.source) AND split(replace(coalesce(s.language, 'en'), '_', '-'), '-')[0] <> $language
    AND ($all OR EXISTS { (s)-[:ABOUT]->() })
  RETURN coalesce(s.language, 'en') AS language, s.source AS origin, count(s) AS k
}
RETURN language, sum(k) AS statements, collect(DISTINCT origin) AS sources
ORDER BY statements DESC, language
