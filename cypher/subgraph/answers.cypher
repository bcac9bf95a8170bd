// Answers of questions
// A question is a node and a relation. Its answers are the nodes at the other ends of these edges, whatever their split: what a filtered
// ranking leaves out.
// takes: $nodes list<int> = []: the node of each question
// takes: $relations list<string> = []: the relationship type of each question
// takes: $heads bool = false: whether the heads are asked for, and the nodes are tails
// takes: $source string = null: name of the source, every source where null
// returns: place list: the place of the question of each answer, from 0
// returns: answer list: id of the node that is the answer
CALL () {
  UNWIND CASE WHEN $heads THEN [] ELSE range(0, size($nodes) - 1) END AS place
  MATCH (n)-[r]->(o)
  WHERE id(n) = $nodes[place] AND type(r) = $relations[place] AND r.source = coalesce($source, r.source)
  RETURN place, id(o) AS answer
  UNION ALL
  UNWIND CASE WHEN $heads THEN range(0, size($nodes) - 1) ELSE [] END AS place
  MATCH (n)<-[r]-(o)
  WHERE id(n) = $nodes[place] AND type(r) = $relations[place] AND r.source = coalesce($source, r.source)
  RETURN place, id(o) AS answer
}
RETURN collect(place) AS place, collect(answer) AS answer
