// Which edges carry the scores of probe edge
// Of the objects that were explained, the largest share first.
// takes: $model string = null: name of the model, every one where null
// takes: $object string = null: key of the object, every one where null
// takes: $limit int = 100: how many
// returns: model string: name of the model
// returns: object string: name of the object, its key where it has none
// returns: at string: whether the edges are at the person, the value or the object
// returns: relation string: their type; ^ where they lead towards it
// returns: neighbour string|null: name of the one neighbour, null where it is about all of them
// returns: score float: what the score of the object loses without these edges
// returns: people int: people who have such edges
// returns: attribute string: the sensitive relation
// returns: a string: first value
// returns: b string: second value, * for all others
// returns: object_relation string: type of the relation to the object
// returns: people_of string|null: name of the source of the people, * for every source; null where an older version wrote it
// favourite: probes
// for: readers
MATCH (m:Model)-[p:PROBED {probe: 'edge'}]->(e:Entity)
WHERE m.name = coalesce($model, m.name) AND e.key = coalesce($object, e.key) AND p.relation IS NOT NULL
OPTIONAL MATCH (n:Entity {key: p.neighbour})
OPTIONAL MATCH (a:Entity {key: p.a})
OPTIONAL MATCH (b:Entity {key: p.b})
RETURN m.name AS model, coalesce(e.name, e.key) AS object, p.at AS at, p.relation AS relation,
  coalesce(n.name, p.neighbour) AS neighbour, p.score AS score, p.people AS people, p.attribute AS attribute,
  coalesce(a.name, p.a) AS a, coalesce(b.name, p.b) AS b, p.object_relation AS object_relation, p.people_of AS people_of
ORDER BY abs(score) DESC, model, object, at, relation, neighbour, attribute, a, b, object_relation, people_of
LIMIT $limit
