// Reject proposals, or take that back
// takes: $ids list<string> = []: element ids of the proposals
// takes: $rejected bool = true: false takes it back
// changes: records
// properties: rejected
UNWIND $ids AS id
MATCH ()-[r:PROPOSED]->()
WHERE elementId(r) = id
SET r.rejected = CASE WHEN $rejected THEN true END
