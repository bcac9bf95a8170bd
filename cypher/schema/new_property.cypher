// Make the name of a property known
// In a transaction of its own, whose number the server counts.
// takes: $name string: name of the property
CALL db.createProperty($name)
