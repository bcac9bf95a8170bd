// Unlink concepts from targets that no list calls so any more
// An event names a target by a part of its text, other concepts by all of it.
MATCH (c:Concept)-[named:NAMES]->(t:Target)
WHERE c.language <> t.language OR NOT EXISTS {
  (:TargetList)-[held:HOLDS]->(t)
  WHERE c.text IN held.names OR (c:Event AND any(name IN held.names WHERE ' ' + c.text + ' ' CONTAINS ' ' + name + ' '))
}
DELETE named
