// Triples, one relation's values made equally frequent within each object
// Of the people that another training triple leads to the same object, as many are kept with the one value as with the other: what
// they have in common no longer tells their value. The training triples of the others that lead there are left out, drawn by a seed;
// valid and test stay whole. Where the source has no split, all triples are training triples here. A model that is trained on this
// is another model, not another description of one: probe it, and see what it lost.
// takes: $relation string: relationship type of the values: PEOPLE_PERSON_GENDER
// takes: $a string: key of the one value
// takes: $b string: key of the other value
// takes: $over string: relationship type whose objects are balanced: PEOPLE_PERSON_PROFESSION
// takes: $inverse bool = false: the relation of the values leads from the value to the person
// takes: $over_inverse bool = false: the other relation leads from the object to the person
// takes: $seed int = 0: which people are kept; another seed keeps others
// takes: $source string = null: name of the source, every source where null
// returns: head list: keys of the heads
// returns: relation list: relationship types
// returns: tail list: keys of the tails
// returns: split list: train, valid or test; empty where the source has no split
CALL () {
  MATCH (h:Concept|Entity)-[r]->(t)
  WHERE r.source = coalesce($source, r.source) AND (type(r) <> $over OR r.split IN ['valid', 'test'])
  RETURN h.key AS head, type(r) AS relation, t.key AS tail, coalesce(r.split, '') AS split
  UNION ALL
  MATCH (h:Concept|Entity)-[r]->(t)
  WHERE r.source = coalesce($source, r.source) AND type(r) = $over AND NOT coalesce(r.split, '') IN ['valid', 'test']
  // People are counted, not relationships: a triple may be several, of other qualifiers or sources.
  WITH h, t, collect(r) AS same
  WITH h, same, t, CASE WHEN $over_inverse THEN t ELSE h END AS person, CASE WHEN $over_inverse THEN h ELSE t END AS object
  WITH h, same, t, person, object,
    EXISTS { MATCH (person)-[v]-(value) WHERE type(v) = $relation AND v.source = coalesce($source, v.source) AND value.key = $a
      AND (startNode(v) = person) <> $inverse } AS is_a,
    EXISTS { MATCH (person)-[v]-(value) WHERE type(v) = $relation AND v.source = coalesce($source, v.source) AND value.key = $b
      AND (startNode(v) = person) <> $inverse } AS is_b
  // A hash of the key, so that neither the famous, who have low numbers, nor the late in the alphabet are the ones who stay.
  WITH h, same, t, person, object, is_a, is_b, reduce(hash = 7, place IN range(0, size(person.key) - 1) |
    (hash * 31 + size(split('0123456789abcdefghijklmnopqrstuvwxyz_./-', toLower(substring(person.key, place, 1)))[0])) % 1000003) AS hash
  ORDER BY hash * (1 + (abs($seed) % 1000000 * 7919 + 12345) % 1000002) % 1000003, person.key
  WITH object, collect(CASE WHEN is_a AND NOT is_b THEN [h, same, t] END) AS of_a, collect(CASE WHEN is_b AND NOT is_a THEN [h, same, t] END) AS of_b,
    collect(CASE WHEN is_a = is_b THEN [h, same, t] END) AS others
  WITH of_a, of_b, others, CASE WHEN size(of_a) < size(of_b) THEN size(of_a) ELSE size(of_b) END AS fewer
  UNWIND of_a[..fewer] + of_b[..fewer] + others AS kept
  UNWIND kept[1] AS r
  RETURN kept[0].key AS head, type(r) AS relation, kept[2].key AS tail, coalesce(r.split, '') AS split
}
RETURN collect(head) AS head, collect(relation) AS relation, collect(tail) AS tail, collect(split) AS split
