// Sentences in the counts of sources
// The first harmgraph called the number of free sentences "statements" there; everywhere else triples are statements too.
MATCH (s:Source)
WHERE any(kept IN [s.counts, s.summary, s.previous] WHERE kept CONTAINS '"statements": ')
CALL (s) {
  SET s.counts = replace(s.counts, '"statements": ', '"sentences": '),
    s.summary = replace(s.summary, '"statements": ', '"sentences": '),
    s.previous = replace(s.previous, '"statements": ', '"sentences": ')
} IN TRANSACTIONS OF 2000 ROWS
