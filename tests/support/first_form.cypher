CREATE CONSTRAINT target_name IF NOT EXISTS FOR (n:Target) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT concept_key IF NOT EXISTS FOR (n:Concept) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT source_name IF NOT EXISTS FOR (n:Source) REQUIRE n.name IS UNIQUE;
CREATE (:Source {name: 'default-targets', importer: 'targets@1', import_id: 'list', state: 'complete',
  imported_at: datetime('2026-11-21T12:00:00Z'), counts: '{"targets": 3}'});
CREATE (:Source {name: 'kb', importer: 'triples@1', import_id: 'first', state: 'complete', generation: 1,
  imported_at: datetime('2026-11-21T12:01:00Z'), counts: '{"relations": {"IS_A": 2}, "statements": 0, "targets": 0}'});
UNWIND [['lawyer', 'profession'], ['nurse', 'profession'], ['muslim', 'religion']] AS row
CREATE (:Target {name: row[0], category: row[1], names: [row[0]], source: 'default-targets', import_id: 'list'});
UNWIND ['lawyer', 'nurse', 'liar', 'kind person'] AS text
CREATE (:Concept {key: 'en/' + text, text: text, language: 'en'});
MATCH (t:Target) MATCH (c:Concept {key: 'en/' + t.name}) CREATE (c)-[:NAMES]->(t);
MATCH (a:Concept {key: 'en/lawyer'}), (b:Concept {key: 'en/liar'})
CREATE (a)-[:IS_A {source: 'kb', import_id: 'first', since: 1, assertion: '', sentence: 'person is a liar', sentiment: 'negative',
  sentiment_score: -0.5, sentiment_by: 'vader@3.3.2'}]->(b);
MATCH (a:Concept {key: 'en/nurse'}), (b:Concept {key: 'en/kind person'})
CREATE (a)-[:IS_A {source: 'kb', import_id: 'first', since: 1, assertion: '', sentence: 'person is a kind person', sentiment: 'positive',
  sentiment_score: 0.5, sentiment_by: 'vader@3.3.2'}]->(b);
CREATE (:Relation {type: 'IS_A', name: 'IsA', template: 'is a', source: 'kb'});
