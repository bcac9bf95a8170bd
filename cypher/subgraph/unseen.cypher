// Triples, some entities left out
// A share of the entities is left out with all their edges, so that a model trained on the others has never seen them. Who is left
// out depends on the key and the seed alone. 'embed eval MODEL --inference SOURCE' then ranks all test triples of the source, with
// all its training edges to go by, and has a row (unseen) for the triples with someone whom the model has never seen.
// takes: $share float = 0.1: of the entities that is left out
// takes: $seed int = 0: who is left out; another seed leaves out others
// takes: $source string = null: name of the source, every source where null
// takes: $first string = '': key of the first head of the page
// takes: $last string = null: key that ends the page, itself left out; no end where null
// returns: head list: keys of the heads
// returns: relation list: relationship types
// returns: tail list: keys of the tails
// returns: split list: train, valid or test; empty where the source has no split
MATCH (h:Concept|Entity)
WHERE h.key >= $first AND h.key < coalesce($last, '\uDBFF\uDFFF')
  AND reduce(hash = 7, place IN range(0, size(h.key) - 1) |
    (hash * 31 + size(split('0123456789abcdefghijklmnopqrstuvwxyz_./-', toLower(substring(h.key, place, 1)))[0])) % 1000003)
    * (1 + (abs($seed) % 1000000 * 7919 + 12345) % 1000002) % 1000003 >= $share * 1000003
MATCH (h)-[r]->(t)
WHERE r.source = coalesce($source, r.source)
// Many edges lead to one tail, whose key is read once.
WITH t, collect([h.key, type(r), coalesce(r.split, '')]) AS edges
WHERE reduce(hash = 7, place IN range(0, size(t.key) - 1) |
  (hash * 31 + size(split('0123456789abcdefghijklmnopqrstuvwxyz_./-', toLower(substring(t.key, place, 1)))[0])) % 1000003)
  * (1 + (abs($seed) % 1000000 * 7919 + 12345) % 1000002) % 1000003 >= $share * 1000003
UNWIND edges AS edge
RETURN collect(edge[0]) AS head, collect(edge[1]) AS relation, collect(t.key) AS tail, collect(edge[2]) AS split
