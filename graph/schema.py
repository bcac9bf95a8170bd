"""The schema of the graph as data; constraints, indexes, the writer and ``docs/schema.md`` follow from it."""

from __future__ import annotations

from dataclasses import dataclass

from harmgraph.common.frames import VARIABLES


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a node or relationship; ``type`` is a Cypher type."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True, slots=True)
class NodeType:
    """A node label.

    Attributes:
        key: the property that identifies a node; it has a uniqueness constraint.
        indexes: further properties with a range index.
    """

    label: str
    key: str
    meaning: str
    properties: tuple[Property, ...]
    indexes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RelationshipType:
    """A relationship type; ``*`` stands for the types made from the names of relations."""

    type: str
    start: tuple[str, ...]
    end: tuple[str, ...]
    meaning: str
    properties: tuple[Property, ...] = ()


LABEL_SUFFIXES = ("_score", "_by")
"""Suffixes of the properties beside a label, appended to the name of the measure."""
WAS = "_was"
"""Suffix of the property with a measure's old label and the import at which it changed, such as ``neutral@2``."""

_LABEL_PROPERTIES = (
    Property("sentence", "STRING", "the exact, masked text that was scored"),
    Property("<measure>", "STRING", "harm label of a measure, such as sentiment: positive, negative, neutral"),
    Property("<measure>_score", "FLOAT", "the scorer's number behind the label, -1 to 1"),
    Property("<measure>_by", "STRING", "scorer and version that set the label, such as vader@3.3.2"),
    Property(
        "<measure>_was",
        "STRING",
        "if the label changed: what it was at that import of the source, such as neutral@2",
    ),
)

_ORIGIN_PROPERTIES = (
    Property("source", "STRING", "name of the Source it comes from"),
    Property("import_id", "STRING", "the import that saw it last; what only an older import saw is removed"),
    Property("since", "INTEGER", "number of the import, within its source, that brought it first"),
)

TRIPLE_PROPERTIES = (
    Property("assertion", "STRING", "the source's own id of the assertion, empty if the file has none"),
    Property("weight", "FLOAT", "the source's confidence or strength; of an accepted proposal the model's score"),
    Property("dataset", "STRING", "part of the source it comes from"),
    Property("licence", "STRING", "licence of the assertion"),
    Property("surface_text", "STRING", "the sentence people wrote, as the source keeps it"),
    Property("head_sense", "STRING", "part of speech and sense of the head, such as n/wn/food"),
    Property("tail_sense", "STRING", "part of speech and sense of the tail"),
    Property("split", "STRING", "part of a benchmark: train, valid or test"),
    Property("head_text", "STRING", "of an aligned event: the head as the file has it"),
    Property("tail_text", "STRING", "of an aligned event: the tail as the file has it"),
    Property("plausible", "BOOLEAN", "what people say of a triple that they were asked about"),
    Property("part", "STRING", "part of an evaluation set: test_set, cs_head or all_head"),
    Property("dimension", "INTEGER", "dimension of GLUCOSE, 1 to 10"),
    Property("sentence_id", "STRING", "of GLUCOSE: the story and the sentence that the triple explains"),
    Property("rank", "STRING", "rank of a statement of Wikidata: preferred, normal or deprecated"),
    Property("qualifiers", "STRING", 'JSON: values of each qualifier: {"P580": ["1999"]}'),
    Property("<property>", "STRING", "value of a qualifier named with --qualifiers: P580"),
)

CONCEPT = NodeType(
    "Concept",
    "key",
    "a term or phrase of a commonsense knowledge base; an event is also :Event",
    (
        Property("key", "STRING", "language and normalised text: en/lawyer"),
        Property("text", "STRING", "NFC, lower case, single spaces; no part of speech, no sense"),
        Property("language", "STRING", "language code of the source"),
    ),
)
ENTITY = NodeType(
    "Entity",
    "key",
    "an item of Wikidata or Freebase",
    (
        Property("key", "STRING", "wikidata/Q42, freebase/m.0abc"),
        Property(
            "name", "STRING", "its name; if several sources name it, the name from the alphabetically first source"
        ),
        Property("term", "STRING", "the name, normalised: what NAMES follows"),
        Property("named_by", "LIST<STRING>", "the sources that name it, sorted"),
        Property("names", "LIST<STRING>", "if several sources name it, the name from each, in the order of named_by"),
        Property("described", "LIST<STRING>", "which of the properties that follow it has, by their sources"),
        Property("described_by", "LIST<STRING>", "the source of each; of several that give one, the first by its name"),
        Property("language", "STRING", "language of the name, if a source has several"),
        Property("description", "STRING", "what it is, in a few words"),
        Property("sitelinks", "INTEGER", "number of wikis that have a page of it"),
        Property("wikipedia", "STRING", "title of its page in the Wikipedia of the first language"),
        Property(
            "<property>", "STRING or FLOAT", "value that is not an entity, of a property named with --literals: P569"
        ),
    ),
    indexes=("term",),
)
STATEMENT = NodeType(
    "Statement",
    "key",
    "a free sentence; one with a social bias frame is also :Post",
    (
        Property("key", "STRING", "digest of source, annotated term and text (and line if duplicates are kept)"),
        Property("text", "STRING", "the sentence as the file has it"),
        Property("term", "STRING", "the annotated topic, normalised"),
        *_ORIGIN_PROPERTIES,
        Property("score", "FLOAT", "the source's confidence"),
        Property("corpus", "STRING", "part of the source it comes from"),
        Property("quantifier", "STRING", "the annotated quantifier"),
        Property("language", "STRING", "language of the sentence, if it is not en"),
        Property(
            "searched",
            "STRING",
            "of a sentence whose targets are found in its text: digest of the names that were looked for, or not yet",
        ),
        Property("head", "STRING", "of a generated statement: the words it was generated from; only these are masked"),
        Property("prompt", "STRING", "of a generated story or sample: what it was generated from"),
        Property("attribute", "STRING", "of a generated sample: what its prompts differ in, such as occupation"),
        Property("value", "STRING", "of a generated sample: the value of the attribute in its prompt, such as nurse"),
        Property("subgroup", "STRING", "of a generated sample: the group of values that its value belongs to"),
        Property("template", "STRING", "of a generated sample: its prompt with a place for the value"),
        Property(
            "relation", "STRING", "of a generated statement: the relation it was asked for; null if it is not known"
        ),
        Property("tail", "STRING", "of a generated statement: what the model said of it; null if relation is"),
        Property("rank", "INTEGER", "of the same: its place among the beams or samples of head and relation, from 1"),
        Property("log_probability", "FLOAT", "of the same: natural logarithm of its probability under the model"),
        Property("part", "STRING", "of a generated story: sentence, or the whole story"),
        Property("origin", "STRING", "of a post: where it was written, as the file has it, such as r/darkjokes"),
        Property("split", "STRING", "of a post: part of the corpus, train, valid or test"),
        *(
            meaning
            for variable in VARIABLES
            for meaning in (
                Property(variable.name, "FLOAT", f"of a post: {variable.meaning}; mean of the answers, 0 to 1"),
                Property(variable.answers, "INTEGER", "how many annotators answered that"),
            )
        ),
        Property("annotators", "INTEGER", "of a post: how many people annotated it"),
        Property(
            "predicted_by", "STRING", "of a post whose frame 'frames predict' wrote: the model, in place of people"
        ),
        Property("checkpoint", "STRING", "of the same: digest of the weights of the model"),
        Property("graded", "BOOLEAN", "of a post: true if the means are of graded answers, not of 0 and 1"),
        Property("implied", "STRING", "JSON: implied statements of a post, if the file does not say about which group"),
        *_LABEL_PROPERTIES,
    ),
    indexes=("source", "term"),
)
RELATION = NodeType(
    "Relation",
    "type",
    "a relation that occurs in the graph",
    (
        Property("type", "STRING", "the relationship type: IS_A"),
        Property("name", "STRING", "the relation's own name: /r/IsA; its label if a source has one: occupation"),
        Property("template", "STRING", "the phrase that makes a sentence of it: is a"),
        Property("source", "STRING", "the source that brought it first"),
        Property("own", "LIST<STRING>", "of a labelled relation: its own name (P106) and phrase"),
        Property("labelled_by", "LIST<STRING>", "the sources that label it, sorted"),
        Property("labels", "LIST<STRING>", "the label of each, in the order of labelled_by; the first is the name"),
    ),
)
TARGET = NodeType(
    "Target",
    "name",
    "a group that can be harmed",
    (
        Property("name", "STRING", "normalised name; followed by (de) if a list of another language has it too"),
        Property("title", "STRING", "the name as its list writes it"),
        Property("category", "STRING", "origin, gender, religion, profession, or one of the user's"),
        Property("names", "LIST<STRING>", "the name and its aliases, normalised: what NAMES and ABOUT follow"),
        Property("language", "STRING", "language of the names: they are looked for in concepts and sentences of it"),
        Property("parts", "LIST<STRING>", "names of the targets that it combines: what COMBINES follows"),
        Property("source", "STRING", "the list it comes from"),
        Property("import_id", "STRING", "the load of the list that saw it last"),
        Property("since", "INTEGER", "number of the load, within its list, that brought it first"),
        Property("implied", "BOOLEAN", "true if posts name it and no list has it"),
    ),
    indexes=("category",),
)
TARGET_LIST = NodeType(
    "TargetList",
    "name",
    "a list of targets: what statistics and labels are about",
    (
        Property("name", "STRING", "name of the list's Source; of groups that a source brings the name of that source"),
        Property("of", "STRING", "of groups that a source brings: the source; null for a list that the user loaded"),
        Property("digest", "STRING", "of the targets that it holds: equal lists have equal digests on every machine"),
    ),
)
SOURCE = NodeType(
    "Source",
    "name",
    "a loaded knowledge base",
    (
        Property("name", "STRING", "the name it was loaded under"),
        Property("version", "STRING", "version of the knowledge base"),
        Property("licence", "STRING", "licence of the knowledge base"),
        Property("url", "STRING", "home page"),
        Property("sha256", "LIST<STRING>", "digest of each file"),
        Property("files", "LIST<STRING>", "name of each file"),
        Property("importer", "STRING", "importer and its version"),
        Property("options", "STRING", "options of the load as JSON"),
        Property("import_id", "STRING", "digest of name, importer, options and files: the same load has the same id"),
        Property(
            "generation", "INTEGER", "number of this import within the source; complete imports of other content count"
        ),
        Property("imported_at", "ZONED DATETIME", "when this import was first complete"),
        Property("state", "STRING", "loading, or complete"),
        Property(
            "counts",
            "STRING",
            "JSON: lines read, skipped, rejected, duplicates; triples per relation, sentences, targets",
        ),
        Property("summary", "STRING", "JSON: counts, digests and version, which the next import keeps as previous"),
        Property("previous", "STRING", "JSON: the summary of the import that this one replaced"),
        Property("previous_import_id", "STRING", "id of that import"),
    ),
)
RUN = NodeType(
    "Run",
    "id",
    "a command whose numbers were kept, or a run of a job",
    (
        Property("id", "STRING", "random"),
        Property("command", "STRING", "the command line, without secrets"),
        Property("parameters", "STRING", "JSON"),
        Property("versions", "STRING", "JSON: harmgraph, Neo4j"),
        Property("lists", "LIST<STRING>", "name@digest of each target list that its numbers are about"),
        Property("sources", "LIST<STRING>", "name@import_id of each source that they are of"),
        Property("scorers", "LIST<STRING>", "measure=scorer@version of each scorer whose labels they count"),
        Property("started_at", "ZONED DATETIME", "start, UTC"),
        Property("job", "STRING", "name of the job; of its runs only, as are the properties that follow"),
        Property("state", "STRING", "running, done, exceeded (a threshold), failed, interrupted, died"),
        Property("finished_at", "ZONED DATETIME", "end, UTC"),
        Property("exit_code", "INTEGER", "exit code of 'harmgraph job run'"),
        Property("failed_step", "STRING", "name of the step that failed"),
        Property("message", "STRING", "the error, or the thresholds that were exceeded, in one line"),
        Property("host", "STRING", "the machine that ran it"),
        Property("pid", "INTEGER", "its process there"),
        Property("noted", "LIST<STRING>", "what differed from the audit of its file, where --note let it run"),
    ),
)
MEASUREMENT = NodeType(
    "Measurement",
    "id",
    "a published number",
    (
        Property("id", "STRING", "run, metric and what it is of"),
        Property("number_id", "STRING", "the id of the number: the same in every run, on every machine"),
        Property("metric", "STRING", "such as disparity.d_o_minus"),
        Property("category", "STRING", "scope of the number: all, or a category"),
        Property("measure", "STRING", "harm measure"),
        Property("source", "STRING", "the source it was computed on"),
        Property("value", "FLOAT", "the number"),
        Property("low", "FLOAT", "lower end of its 95 % interval, if it has one"),
        Property("high", "FLOAT", "upper end"),
        Property("n", "INTEGER", "the count that it is based on"),
        Property("unlabelled", "INTEGER", "of these, statements without a label, if the statistic counts them"),
    ),
    indexes=("metric",),
)
MODEL = NodeType(
    "Model",
    "name",
    "a trained model",
    (
        Property("name", "STRING", "the user's name for it"),
        Property("family", "STRING", "such as transe; language of a language model, frames of a frame model"),
        Property("path", "STRING", "folder of its weights"),
        Property("sha256", "STRING", "digest of its weights"),
        Property("import_id", "STRING", "the import of its source that it was trained on"),
        Property("comparator", "STRING", "of an embedding: dot, l2 or l1"),
        Property("dimension", "INTEGER", "of an embedding: columns of an entity"),
        Property("valid_mrr", "FLOAT", "of an embedding: mean reciprocal rank on valid, if it was measured"),
        Property("valid_perplexity", "FLOAT", "of a language model: perplexity per token on the held-out texts"),
    ),
)
LOCK = NodeType(
    "Lock",
    "name",
    "what a command that changes the graph holds while it runs; no facts",
    (Property("name", "STRING", "what is held"),),
)

CHANGE = NodeType(
    "Change",
    "source",
    "what the newest import of a source found and removed, for 'harmgraph source diff'",
    (
        Property("source", "STRING", "name of the Source"),
        Property("since", "INTEGER", "number of the import within its source"),
        Property("before", "STRING", "JSON: statements of each target before it, by their labels"),
        Property("import_id", "STRING", "the import that removed"),
        Property("removed", "STRING", "JSON: statements of each target that it removed, by their labels"),
        Property("listed", "LIST<STRING>", "JSON of the removed statements about targets, 1,000 at most"),
        Property(
            "broken_off", "BOOLEAN", "whether another import of that number had begun to remove and was not finished"
        ),
    ),
)

SCHEMA = NodeType(
    "Schema",
    "name",
    "the version of the graph's form, which 'harmgraph db upgrade' raises; no facts",
    (
        Property("name", "STRING", "graph"),
        Property("version", "INTEGER", "number of the last step of cypher/upgrade that was made"),
        Property("stamp", "STRING", "mark of the last write of a command that counted its writes; random"),
    ),
)

NODES = (
    CONCEPT,
    ENTITY,
    STATEMENT,
    RELATION,
    TARGET,
    TARGET_LIST,
    SOURCE,
    CHANGE,
    RUN,
    MEASUREMENT,
    MODEL,
    LOCK,
    SCHEMA,
)

RELATIONSHIPS = (
    RelationshipType(
        "*",
        ("Concept", "Entity"),
        ("Concept", "Entity"),
        "a triple, which is a relationship with a source: one per head, type, tail, source and assertion",
        (
            *_ORIGIN_PROPERTIES,
            *TRIPLE_PROPERTIES,
            Property(
                "population_split",
                "STRING",
                "of 'population data --properties': train, valid or test, by a hash of the triple",
            ),
            *_LABEL_PROPERTIES,
        ),
    ),
    RelationshipType(
        "NAMES",
        ("Concept", "Entity"),
        ("Target",),
        "who is meant; follows Target.names, of a concept in the language of the list; an event names by its words, of names "
        "inside one another the longer",
        (
            Property(
                "lists",
                "LIST<STRING>",
                "of an event whose lists disagree: the lists by which it names the target; null for all that hold it",
            ),
        ),
    ),
    RelationshipType(
        "HOLDS",
        ("TargetList",),
        ("Target",),
        "a list and one of its targets",
        (Property("import_id", "STRING", "the load of the list that saw it last"),),
    ),
    RelationshipType(
        "ABOUT",
        ("Statement",),
        ("Target",),
        "who is meant; follows the annotated term, or the text where targets are found in it, in the language of the list",
        (
            Property(
                "spans",
                "LIST<INTEGER>",
                "where the target stands in the text, if it was found there: start, end, start, end; characters from 0",
            ),
        ),
    ),
    RelationshipType(
        "COMBINES", ("Target",), ("Target",), "a group and one of the groups that it combines; follows Target.parts"
    ),
    RelationshipType(
        "IMPLIES",
        ("Statement",),
        ("Target",),
        "what an annotator says that a post implies about a group; follows the group's name",
        (
            *_ORIGIN_PROPERTIES,
            Property("assertion", "STRING", "digest of annotator, group and text"),
            Property("group", "STRING", "the group as the file has it"),
            Property("category", "STRING", "the kind of group that the annotator chose"),
            Property("text", "STRING", "the implied statement as the file has it; empty if only the group is named"),
            Property(
                "annotator",
                "STRING",
                "digest of the annotator, as the file has it; empty if it has none, and for a model",
            ),
        ),
    ),
    RelationshipType(
        "STEP_OF",
        ("Run",),
        ("Run",),
        "a run that was a step of a job's run",
        (Property("step", "STRING", "name of the step"),),
    ),
    RelationshipType("MEASURED", ("Run",), ("Measurement",), "the run that gave the number"),
    RelationshipType("OF", ("Measurement",), ("Target", "Source", "Entity"), "what the number is of"),
    RelationshipType("TRAINED_ON", ("Model",), ("Source",), "the data of a model"),
    RelationshipType(
        "GENERATED_BY",
        ("Source",),
        ("Model",),
        "the language model that said the statements of a source; its options say how they were decoded",
        (Property("sha256", "STRING", "digest of the weights that said them"),),
    ),
    RelationshipType(
        "JUDGED_ON",
        ("Model",),
        ("Source",),
        "how well a language model predicts the texts of a source",
        (
            Property("part", "STRING", "held-out: what the hash of a text holds out of every training; or all"),
            Property("perplexity", "FLOAT", "per token"),
            Property("perplexity_low", "FLOAT", "lower end of its interval"),
            Property("perplexity_high", "FLOAT", "upper end of its interval"),
            Property("word_perplexity", "FLOAT", "per word"),
            Property("texts", "INTEGER", "how many texts were read"),
            Property("sha256", "STRING", "digest of the evaluated weights"),
        ),
    ),
    RelationshipType(
        "PROPOSED",
        ("Concept",),
        ("Concept",),
        "a triple that a model proposes: a statement of the source proposed:<model>; accepting makes it a triple",
        (
            *_ORIGIN_PROPERTIES,
            Property("assertion", "STRING", "the type that the relationship gets when it is accepted: X_WANT"),
            Property("relation", "STRING", "the relation's own name: xWant"),
            Property("score", "FLOAT", "how plausible the model finds it, 0 to 1"),
            Property("model", "STRING", "name of the trained populator"),
            Property("request", "STRING", "digest of the run that proposed it"),
            Property("rejected", "BOOLEAN", "true if it was rejected"),
            *_LABEL_PROPERTIES,
        ),
    ),
    RelationshipType(
        "PROBED",
        ("Model",),
        ("Entity",),
        "the result of a bias probe",
        (
            Property("probe", "STRING", "name of the probe"),
            Property("attribute", "STRING", "type of the sensitive relation"),
            Property("a", "STRING", "key of the first value"),
            Property(
                "b", "STRING", "key of the second value, * for all others; 'no edge' where a is compared with none"
            ),
            Property("object_relation", "STRING", "type of the relation to the entity"),
            Property("people_of", "STRING", "name of the source of the people, * for every source"),
            Property("score", "FLOAT", "above 0 towards a, below 0 towards b; of a shift the change of the score"),
            Property("low", "FLOAT", "lower end of its 95 % interval, if it has one"),
            Property("high", "FLOAT", "upper end"),
            Property("count_a", "INTEGER", "people with a who have the entity"),
            Property("count_b", "INTEGER", "people with b who have it"),
            Property("at", "STRING", "of an explanation: at the person, the value or the object"),
            Property("relation", "STRING", "of an explanation: the type whose edges carry this score; ^ towards it"),
            Property("neighbour", "STRING", "of an explanation: key of the person's neighbour, if it is about one"),
            Property("people", "INTEGER", "of an explanation: people who have such edges"),
            Property("method", "STRING", "how it was computed"),
            Property("sha256", "STRING", "digest of the weights that were probed"),
            Property("by", "STRING", "version of harmgraph"),
        ),
    ),
)

RESERVED_TYPES = frozenset(relationship.type for relationship in RELATIONSHIPS if relationship.type != "*")
"""Types that harmgraph uses itself; a relation in a file that gives one of these types is rejected."""
STATEMENT_TYPES = frozenset({"PROPOSED", "IMPLIES"})
"""Of these, the types of statements of a source: they are counted, labelled and removed as triples are."""

VOLATILE = frozenset({"imported_at", "started_at", "finished_at"})
"""Properties that hold times; they are left out of the graph's digest."""
