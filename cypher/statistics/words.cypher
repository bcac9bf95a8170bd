// Words
// What stands in a target's positive and negative statements: the other end of a triple, the words of a sentence.
// takes: $target string: name of the target
// takes: $source string = null: name of the source, every source where null
// takes: $measure string = 'sentiment': harm measure
// takes: $label string = null: positive or negative only, both where null
// takes: $stop list<string> = ['a','about','after','all','also','an','and','any','are','as','at','be','been','but','by','can','for','from','had','has','have','he','her','his','how','i','if','in','into','is','it','its','many','may','more','most','much','no','not','of','often','on','one','or','other','our','out','person','she','some','such','than','that','the','their','them','then','there','these','they','this','those','to','up','use','was','we','were','what','when','where','which','while','who','will','with','would','you','your']: words of sentences to leave out
// takes: $limit int = 50: how many of each label at the most
// returns: label string: positive or negative
// returns: word string: word or phrase
// returns: n int: statements that it stands in
// keys: label word
// first: n
// cites: Mehrabi et al. 2021, figure 12
CALL () {
  MATCH (t:Target {name: $target})<-[:NAMES]-(c:Concept)-[r]-(other)
  WHERE r.source = coalesce($source, r.source) AND r[$measure] IN ['positive', 'negative']
    AND r[$measure] = coalesce($label, r[$measure]) AND other.text IS NOT NULL
  WITH DISTINCT r, other
  RETURN r[$measure] AS label, other.text AS word
  UNION ALL
  MATCH (t:Target {name: $target})<-[:ABOUT]-(s:Statement)
  WHERE s.source = coalesce($source, s.source) AND s[$measure] IN ['positive', 'negative']
    AND s[$measure] = coalesce($label, s[$measure])
  WITH s, s[$measure] AS label,
    reduce(text = toLower(s.sentence), mark IN ['.', ',', ';', ':', '!', '?', '"', '(', ')', '[', ']'] | replace(text, mark, ' ')) AS text
  UNWIND split(text, ' ') AS word
  WITH DISTINCT s, label, word
  WHERE size(word) > 1 AND NOT word IN $stop
  RETURN label, word
}
WITH label, word, count(*) AS n
ORDER BY n DESC, word
WITH label, collect({word: word, n: n})[..$limit] AS rows
UNWIND rows AS row
RETURN label, row.word AS word, row.n AS n
ORDER BY label, n DESC, word
