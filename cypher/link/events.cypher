// Link events to the targets that they name
// An event is a short sentence, so it names a target where one of the target's names stands in it as words of their own:
// `personx hit on a girl` names girl. A name directly after a person or an auxiliary is taken for a verb and names nobody:
// `personx cook dinner`, `personx want to model`.
// returns: links int: NAMES relationships of events that are there afterwards
MATCH (t:Target)
UNWIND t.names AS name
WITH collect(DISTINCT split(name, ' ')[0]) AS firsts, max(size(split(name, ' '))) AS longest
MATCH (e:Event)
WITH e, firsts, longest, split(e.text, ' ') AS words
UNWIND [at IN range(0, size(words) - 1) WHERE words[at] IN firsts AND (at = 0 OR NOT words[at - 1] IN
  ['personx', 'persony', 'personz', 'peoplex', 'peopley', 'to', 'not', 'will', 'would', 'can', 'could', 'may', 'might', 'must',
   'shall', 'should'])] AS at
UNWIND range(1, longest) AS length
WITH e, words, at, length
WHERE at + length <= size(words)
WITH DISTINCT e, reduce(name = words[at], word IN words[at + 1 .. at + length] | name + ' ' + word) AS name
MATCH (t:Target)
WHERE name IN t.names AND e.language = coalesce(t.language, 'en')
MERGE (e)-[n:NAMES]->(t)
RETURN count(DISTINCT n) AS links
