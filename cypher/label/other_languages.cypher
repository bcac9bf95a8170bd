// Statements in another language
// What a scorer of one language would be given and cannot read. A triple is one where either end is of another language, a web address
// is of none. A code such as en-gb is of the language en.
// takes: $language string = 'en': the language that it reads
// takes: $source string = null: name of the source, every source where null
// takes: $lists list<string> = null: names of target lists; where null those that were loaded, and the groups of the source
// takes: $all bool = false: also those about no target
// returns: language string: language of the statements
// returns: statements int: how many
// returns: sources list<string>: sources that have some
CALL () {
  MATCH (t:Target)<-[link:NAMES]-(c:Concept)
  WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) AND coalesce(list.name IN link.lists, true) } AND NOT $all
  WITH DISTINCT c
  MATCH (c)-[r]-(o)
  // Most ends are of the one language as it is written, which is quicker to see.
  WHERE r.source = coalesce($source, r.source) AND (c.language <> $language OR o.language <> $language)
  WITH r, [code IN [startNode(r).language, endNode(r).language] WHERE code <> 'url' AND split(replace(code, '_', '-'), '-')[0] <> $language] AS codes
  WHERE codes <> []
  RETURN codes[0] AS language, r.source AS origin, count(DISTINCT r) AS k
  UNION ALL
  MATCH (c:Concept)
  WHERE $all AND c.language <> 'url' AND split(replace(c.language, '_', '-'), '-')[0] <> $language
  MATCH (c)-[r]-(o:Concept)
  // Where both ends are of another language, the triple is counted at its head.
  WHERE r.source = coalesce($source, r.source)
    AND (startNode(r) = c OR o.language = 'url' OR split(replace(o.language, '_', '-'), '-')[0] = $language)
  RETURN c.language AS language, r.source AS origin, count(r) AS k
  UNION ALL
  MATCH (s:Statement)
  WHERE s.source = coalesce($source, s.source) AND split(replace(coalesce(s.language, 'en'), '_', '-'), '-')[0] <> $language
    AND ($all OR EXISTS { (s)-[:ABOUT]->(t) WHERE EXISTS { (list:TargetList)-[:HOLDS]->(t) WHERE coalesce(list.name IN $lists, list.of IS NULL OR list.of = $source) } })
  RETURN coalesce(s.language, 'en') AS language, s.source AS origin, count(s) AS k
}
RETURN language, sum(k) AS statements, collect(DISTINCT origin) AS sources
ORDER BY statements DESC, language
