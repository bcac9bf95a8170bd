// Annotated terms that are not targets
// takes: $source string: name of the source
// takes: $limit int = 20: how many terms at most
// returns: term string: the annotated term
// returns: statements int: sentences annotated with it
// returns: terms_in_all int: number of such terms
// returns: statements_in_all int: sentences annotated with any of them
MATCH (s:Statement {source: $source})
WHERE s.term <> '' AND NOT EXISTS { (s)-[:ABOUT]->() }
WITH s.term AS term, count(*) AS statements
ORDER BY statements DESC, term
WITH collect({term: term, statements: statements}) AS terms
UNWIND terms[..$limit] AS one
RETURN one.term AS term, one.statements AS statements, size(terms) AS terms_in_all,
  reduce(total = 0, row IN terms | total + row.statements) AS statements_in_all
