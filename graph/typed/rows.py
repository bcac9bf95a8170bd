"""The rows of the statements of ``cypher/``, typed by their headers; written by ``make docs``.

Only type checkers read this file: at run time nothing imports it. A statement whose name is known only then is given as
``statement(name)``; its rows are typed no further.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypedDict, overload

from harmgraph.graph.statements import Statement


class CounterfactualScoresRow(TypedDict):
    """Scores of samples, prompt by prompt."""

    attribute: str
    template: str
    value: str
    subgroup: str | None
    samples: int
    scores: list[float]
    by: list[str]


class CounterfactualValuesRow(TypedDict):
    """Targets as values of an attribute."""

    category: str
    value: str


class DigestNodesRow(TypedDict):
    """Every node."""

    labels: list[str]
    properties: dict[str, Any]


class DigestRelationshipsRow(TypedDict):
    """Every relationship."""

    start: str
    type: str
    end: str
    properties: dict[str, Any]


class ExploreHarmMapRow(TypedDict):
    """Map of harm: the targets that are hurt most often."""

    path: list[Any]


class ExploreLabelsBySourceRow(TypedDict):
    """How the sources compare."""

    source: str
    n: int
    negative: int
    positive: int
    polarised_percent: float


class ExploreMostHarmedRow(TypedDict):
    """Most harmed targets."""

    target: str
    category: str
    n: int
    negative: int
    positive: int
    o_minus: float
    at_least: float


class ExploreRelationshipPropertiesRow(TypedDict):
    """Triples with their properties."""

    head: str
    type: str
    tail: str
    properties: dict[str, Any]


class ExploreSaidOfSeveralRow(TypedDict):
    """What is said of several targets."""

    path: list[Any]


class ExploreSentencesOfTargetRow(TypedDict):
    """The sentences behind a target's numbers."""

    sentence: str
    label: str
    score: float
    said: str
    source: str
    scorer: str


class ExploreSourcesRow(TypedDict):
    """Where it comes from."""

    source: dict[str, Any]


class ExploreStatementRow(TypedDict):
    """One statement."""

    path: list[Any]


class ExploreStatementsOfTargetRow(TypedDict):
    """One target and what is said about it."""

    path: list[Any]


class ExploreTargetsRow(TypedDict):
    """Targets."""

    target: str
    category: str
    aliases: list[str]
    concepts: int
    statements: int
    lists: list[str]
    entities: int
    language: str
    parts: list[str]


class ExploreWorstBySourceRow(TypedDict):
    """Who fares worst in each source."""

    source: str
    statements: int
    targets: int
    target: str | None
    n: int | None
    negative: int | None
    positive: int | None
    o_minus: float | None
    at_least: float | None
    category: str | None
    favoured: str | None


class FilterNamesRow(TypedDict):
    """Concepts and entities that name a target."""

    key: str
    is_concept: bool
    targets: list[str]


class FilterPropertiesRow(TypedDict):
    """Properties of a source's statements."""

    names: list[str]


class FilterStatementsRow(TypedDict):
    """Sentences with their labels and whom they are about."""

    text: str
    term: str
    properties: dict[str, Any]
    labels: list[str | None]
    targets: list[str]


class FilterTriplesRow(TypedDict):
    """Triples with their labels."""

    head: str
    head_key: str
    head_is_concept: bool
    head_name: str | None
    relation: str
    tail: str
    tail_key: str
    tail_is_concept: bool
    tail_name: str | None
    assertion: str
    properties: dict[str, Any]
    labels: list[str | None]


class FindingsByAssertionRow(TypedDict):
    """Triples by the ids of their source."""

    head: str | None
    type: str | None
    tail: str | None
    relation: str | None
    assertion: str | None
    key: str | None
    said: str
    sentence: str | None
    label: str | None
    score: float | None
    by: str | None
    rank: str | None


class FindingsByEndsRow(TypedDict):
    """Triples by their ends."""

    head: str | None
    type: str | None
    tail: str | None
    relation: str | None
    assertion: str | None
    key: str | None
    said: str
    sentence: str | None
    label: str | None
    score: float | None
    by: str | None
    rank: str | None


class FindingsByKeyRow(TypedDict):
    """Sentences by their keys."""

    head: str | None
    type: str | None
    tail: str | None
    relation: str | None
    assertion: str | None
    key: str | None
    said: str
    sentence: str | None
    label: str | None
    score: float | None
    by: str | None
    rank: str | None


class FindingsLabelledRow(TypedDict):
    """Findings."""

    head: str | None
    type: str | None
    tail: str | None
    relation: str | None
    assertion: str | None
    key: str | None
    said: str
    sentence: str | None
    label: str | None
    score: float | None
    by: str | None
    rank: str | None


class FramesDomainsRow(TypedDict):
    """Categories of targeted groups by domain."""

    domain: str
    category: str
    posts: int


class FramesImpliedRow(TypedDict):
    """What posts imply about targets."""

    target: str
    group: str
    implied: str
    posts: int
    annotators: int


class FramesStatementsRow(TypedDict):
    """What a source says of the targets of implied statements."""

    target: str
    head: str | None
    relation: str | None
    tail: str | None
    text: str | None


class JobChangesRow(TypedDict):
    """What changed between the last two runs."""

    job: str
    metric: str
    before: float
    value: float
    change: float
    change_percent: float | None
    low: float | None
    high: float | None
    category: str
    target: str | None
    source: str | None
    measure: str | None
    started: str


class JobDiedRow(TypedDict):
    """Runs whose process died."""

    id: str
    started: str


class JobExceededRow(TypedDict):
    """Exceeded thresholds."""

    job: str
    started: str
    message: str
    host: str | None
    run: str


class JobHistoryRow(TypedDict):
    """Runs of jobs."""

    job: str
    started: str
    seconds: int | None
    state: str
    exit_code: int | None
    numbers: int
    failed_step: str | None
    message: str | None
    host: str | None
    run: str


class JobMarkRow(TypedDict):
    """Open a transaction that marks a run."""

    at: object


class JobNamesRow(TypedDict):
    """Jobs that have run."""

    job: str


class JobNumbersRow(TypedDict):
    """Numbers of a run of a job."""

    step: str
    metric: str
    category: str
    source: str | None
    measure: str | None
    target: str | None
    value: float | None
    low: float | None
    high: float | None
    n: int | None
    unlabelled: int | None


class JobNumbersBeforeRow(TypedDict):
    """Numbers of the runs before a run of a job."""

    step: str
    metric: str
    category: str
    source: str | None
    measure: str | None
    target: str | None
    value: float | None
    low: float | None
    high: float | None
    n: int | None


class JobUnderWayRow(TypedDict):
    """Runs of jobs that are under way."""

    job: str
    run: str
    host: str
    pid: int
    since: str


class LabelAllTriplesRow(TypedDict):
    """All triples."""

    id: str
    head: str
    type: str
    tail: str
    head_is_target: bool
    tail_is_target: bool
    head_names: list[str]
    tail_names: list[str]
    sentence: str | None
    by: str | None
    label: str | None
    others: list[str]


class LabelCountRow(TypedDict):
    """Statements to look at when labelling."""

    statements: int


class LabelLabelledByRow(TypedDict):
    """Who labelled, and what."""

    by: list[str | None]
    labels: list[str | None]
    statements: int


class LabelNamedTriplesRow(TypedDict):
    """Triples that name a target."""

    id: str
    head: str
    type: str
    tail: str
    head_is_target: bool
    tail_is_target: bool
    head_names: list[str]
    tail_names: list[str]
    sentence: str | None
    by: str | None
    label: str | None
    others: list[str]


class LabelOtherLanguagesRow(TypedDict):
    """Statements in another language."""

    language: str
    statements: int
    sources: list[str]


class LabelStatementsRow(TypedDict):
    """Sentences and whom they are about."""

    id: str
    text: str
    names: list[list[str]]
    head: str | None
    tail: str | None
    sentence: str | None
    by: str | None
    label: str | None
    others: list[str]


class LabelTemplatesRow(TypedDict):
    """Phrases of the relations."""

    type: str
    template: str


class LanguageRelationsRow(TypedDict):
    """Relations of a source."""

    relation: str


class LanguageStatementsRow(TypedDict):
    """Sentences of a source."""

    text: str


class LanguageTargetsRow(TypedDict):
    """Targets that a model is asked about."""

    target: str
    language: str


class LanguageTriplesRow(TypedDict):
    """Triples of a source as texts."""

    head: str
    relation: str
    tail: str


class LinkConceptsRow(TypedDict):
    """Link concepts to the targets that they name."""

    links: int


class LinkEntitiesRow(TypedDict):
    """Link entities to the targets that they name."""

    links: int


class LinkEventNamesRow(TypedDict):
    """Link events to the targets that their words name."""

    links: int


class LinkEventsRow(TypedDict):
    """Events with one of some words."""

    id: str
    text: str
    language: str


class LinkGroupsRow(TypedDict):
    """Name the groups of posts as most annotators do."""

    groups: int


class LinkHeldRow(TypedDict):
    """What the lists hold."""

    list: str
    kind: str
    target: str
    category: str
    names: list[str]
    language: str
    parts: list[str]
    implied: bool


class LinkLanguagesRow(TypedDict):
    """Languages of statements and of target lists."""

    concepts: list[str]
    sentences: list[str]
    entities: bool
    targets: list[str]


class LinkNamedStatementsRow(TypedDict):
    """Statements that name a target."""

    statements: int


class LinkPartsRow(TypedDict):
    """Link targets to the targets that they combine."""

    links: int


class LinkStatementsRow(TypedDict):
    """Link sentences to the targets that they are about."""

    links: int


class LinkUnknownPartsRow(TypedDict):
    """Parts of targets that no list has."""

    target: str
    part: str


class LinkUnlinkedTermsRow(TypedDict):
    """Annotated terms that are no target."""

    term: str
    statements: int
    terms_in_all: int
    statements_in_all: int


class ListChosenRow(TypedDict):
    """Lists of targets."""

    list: str
    kind: str
    digest: str
    targets: int


class ListOwnRow(TypedDict):
    """Targets that a source brings and no list has."""

    target: str


class LoadBatchRow(TypedDict):
    """Claim a batch of a load."""

    batch: int


class LoadConceptsRow(TypedDict):
    """Load concepts."""

    ids: list[Any]


class LoadEntitiesRow(TypedDict):
    """Load entities."""

    ids: list[Any]


class LoadEventsRow(TypedDict):
    """Load events."""

    ids: list[Any]


class LoadGroupsRow(TypedDict):
    """Find or make the targets of groups."""

    group: str
    target: str


class LoadRelationsRow(TypedDict):
    """Load relations."""

    type: str
    name: str


class LoadTargetsRow(TypedDict):
    """Load targets."""

    shared: int
    called: list[str]


class LockEndRow(TypedDict):
    """End a statement."""

    message: str


class LockHoldersRow(TypedDict):
    """Commands that are changing the graph."""

    purpose: str
    pid: int
    seconds: int


class MeasureAboutTargetsRow(TypedDict):
    """Harm measures that label a statement about a target."""

    measure: str


class MeasureAnywhereRow(TypedDict):
    """Harm measures that label any statement."""

    measure: str


class MeasureHistoryRow(TypedDict):
    """History of a number."""

    at: str
    metric: str
    value: float | None
    value_low: float | None
    value_high: float | None
    n: int | None
    category: str
    target: str | None
    source: str | None
    measure: str | None
    low: float | None
    high: float | None


class MeasureKeptOfTargetsRow(TypedDict):
    """Kept counts of each target."""

    target: str
    category: str
    n: int
    positive: int
    negative: int
    neutral: int
    labelled: int


class MeasureKeptOfTargetsAndSourcesRow(TypedDict):
    """Kept counts of each target and source."""

    target: str
    category: str
    source: str
    n: int
    positive: int
    negative: int


class MeasureNamedRow(TypedDict):
    """Harm measures that somebody labelled once."""

    measure: str


class MeasureStateRow(TypedDict):
    """What the graph is at the moment."""

    store: str
    nodes: int
    relationships: int
    sources: list[Any]


class MeasureTargetCountsRow(TypedDict):
    """Counts of each target in every source."""

    target: str
    category: str
    source: str
    n: int
    positive: int
    negative: int
    neutral: int
    labelled: int


class MeasureUnlabelledRow(TypedDict):
    """Statements without a label."""

    statements: int
    unlabelled: int


class ModelAboutRow(TypedDict):
    """What the graph holds of a model."""

    family: str | None
    sources: list[str]
    said: list[str]
    probed: int


class ModelListRow(TypedDict):
    """Models."""

    model: dict[str, Any]
    sources: list[str]


class PopulationCandidatesRow(TypedDict):
    """Edges of an eventuality graph that table 15 names."""

    head: str
    type: str
    tail: str


class PopulationHeadsRow(TypedDict):
    """Events that are the head of a statement."""

    key: str


class PopulationHeadsAroundRow(TypedDict):
    """Events within two hops of an event."""

    key: str
    hops: int


class PopulationNearTailsRow(TypedDict):
    """Tails that the edges around a head suggest."""

    head: str
    tails: list[str]


class PopulationProposalsRow(TypedDict):
    """Proposals of a model."""

    id: str
    head: str
    tail: str
    relation: str
    type: str
    score: float
    model: str
    request: str
    rejected: bool
    label: str | None
    named: bool
    stands: bool
    known: bool


class PopulationStandingTailsRow(TypedDict):
    """Pairs that a relation joins already."""

    head: str
    tail: str


class PopulationTailsRow(TypedDict):
    """Events that are the tail of a relation."""

    key: str


class PopulationTriplesRow(TypedDict):
    """Triples of events of a source."""

    id: str
    head: str
    type: str
    tail: str
    sentence: str | None


class ProbeEntitiesRow(TypedDict):
    """Entities of a key or a name."""

    entity: str
    name: str | None


class ProbeHoldersRow(TypedDict):
    """Who has which object."""

    entity: str
    people: list[str]


class ProbeImportsRow(TypedDict):
    """The imports that stand."""

    name: str
    import_id: str


class ProbeLiteralsRow(TypedDict):
    """Literals of people."""

    person: str
    value: str


class ProbeMapRow(TypedDict):
    """What a model leans to."""

    path: list[Any]


class ProbeModelsRow(TypedDict):
    """Probes of each model."""

    model: str
    probe: str
    attribute: str
    a: str
    b: str
    objects: int
    towards_a: str
    score_a: float
    towards_b: str
    score_b: float
    size: float


class ProbeObjectsRow(TypedDict):
    """Objects and how many people of two groups have them."""

    entity: str
    name: str | None
    count_a: int
    count_b: int


class ProbeObjectsOfPeopleRow(TypedDict):
    """Objects and how many of some people have them."""

    entity: str
    name: str | None
    count_a: int
    count_b: int


class ProbePeopleRow(TypedDict):
    """People and their values of a sensitive relation."""

    person: str
    values: list[str]


class ProbeRelationsRow(TypedDict):
    """Relations and their names."""

    type: str
    name: str
    own: str | None


class ProbeResultsRow(TypedDict):
    """What probes found."""

    name: str
    score: float
    count_a: int
    count_b: int
    a: str
    b: str
    probe: str
    attribute: str
    entity: str
    model: str


class ProbeValuesRow(TypedDict):
    """Values of a sensitive relation."""

    entity: str
    name: str | None
    people: int


class ReportBackgroundRow(TypedDict):
    """Words of a source."""

    word: str
    n: int


class ReportExamplesRow(TypedDict):
    """Examples of several targets."""

    target: str
    label: str
    score: float
    statement: str


class ReportLabelsRow(TypedDict):
    """Labels of a source."""

    label: str | None
    scorer: str | None
    statements: int


class ReportLabelsOfSentencesRow(TypedDict):
    """Labels of given sentences."""

    sentence: str
    label: str


class ReportWordsRow(TypedDict):
    """Words of several targets."""

    target: str
    label: str
    word: str
    n: int


class RetrainedGenerationsRow(TypedDict):
    """What models said that learnt from a source."""

    source: str
    model: str
    weights: str | None
    of_now: bool
    family: str | None
    learnt: list[str]
    imports: str | None
    options: str | None
    word_perplexity: float | None
    of_other_weights: bool


class RetrainedKnownRow(TypedDict):
    """Generated triples that a knowledge base has."""

    statements: int
    in_first: int
    in_other: int
    in_first_alone: int


class RetrainedSharesRow(TypedDict):
    """Neutral share of each target."""

    target: str
    category: str
    n: int
    neutral: int
    unlabelled: int


class ReviewContextRow(TypedDict):
    """What else its source says of a target."""

    said: str


class ReviewSentencesRow(TypedDict):
    """Sentences about a target, for people to judge."""

    id: str
    text: str
    names: list[list[str]]
    head: str | None
    targets: list[str]
    sentence: str | None
    source: str
    label: str | None
    score: float | None
    by: str | None


class ReviewStandingRow(TypedDict):
    """What these statements say now."""

    id: str
    is_node: bool
    head: str | None
    type: str | None
    tail: str | None
    source: str | None
    sentence: str | None
    by: str | None


class ReviewTriplesRow(TypedDict):
    """Triples that name a target, for people to judge."""

    id: str
    head: str
    type: str
    tail: str
    head_is_target: bool
    tail_is_target: bool
    head_names: list[str]
    tail_names: list[str]
    targets: list[str]
    sentence: str | None
    source: str
    label: str | None
    score: float | None
    by: str | None


class SchemaCountsRow(TypedDict):
    """Size of the graph."""

    nodes: int
    relationships: int


class SchemaFormRow(TypedDict):
    """Version of the graph's form."""

    version: int | None
    sources: int


class SchemaIndexesRow(TypedDict):
    """Indexes."""

    name: str


class SchemaNamesRow(TypedDict):
    """Names of what stands in the graph."""

    sources: list[str]
    targets: list[str]
    categories: list[str]
    measures: list[str]
    lists: list[str]


class SchemaStateRow(TypedDict):
    """State of the database."""

    state: str
    message: str


class SchemaStoreRow(TypedDict):
    """The store."""

    store: str


class SchemaVersionRow(TypedDict):
    """Version of the server."""

    name: str
    version: str
    edition: str


class SourceAllStatementsRow(TypedDict):
    """Sentences."""

    statements: int


class SourceChangeRow(TypedDict):
    """What was noted of a change."""

    change: dict[str, Any]


class SourceChangedRow(TypedDict):
    """Statements about targets that an import changed."""

    targets: list[str]
    statement: str
    labels: list[str | None]
    before: list[str | None]


class SourceExportNodesRow(TypedDict):
    """Nodes of a source."""

    key: str
    text: str
    labels: list[str]
    language: str | None
    outgoing: int
    incoming: int


class SourceExportTriplesRow(TypedDict):
    """Triples of a source."""

    head: str
    relation: str
    tail: str
    type: str
    assertion: str
    weight: float | None
    properties: dict[str, Any]


class SourceFinishRow(TypedDict):
    """Finish an import."""

    imported_at: str


class SourceHeldRow(TypedDict):
    """What stands in the graph."""

    label: str
    count: int


class SourceLabelsByTargetRow(TypedDict):
    """Statements of each target by their labels."""

    target: str
    labels: list[str | None]
    statements: int


class SourceListRow(TypedDict):
    """Loaded sources."""

    source: dict[str, Any]


class SourceLostStatementsRow(TypedDict):
    """What a newer import of a source would remove: sentences."""

    stood: int
    lost: int


class SourceLostTargetsRow(TypedDict):
    """What a newer import of a source would remove: targets."""

    stood: int
    lost: int


class SourceLostTriplesRow(TypedDict):
    """What a newer import of a source would remove: triples."""

    stood: int
    lost: int


class SourceMissingTermsRow(TypedDict):
    """Names of entities that are not normalised yet."""

    key: str
    name: str


class SourceRelabelledRow(TypedDict):
    """Statements of each target whose label changed."""

    target: str
    statements: int


class SourceRelationNamesRow(TypedDict):
    """Names of relations."""

    name: str


class SourceRelationTypesRow(TypedDict):
    """Relationship types that occur."""

    type: str


class SourceStandingKeysRow(TypedDict):
    """Which of these nodes stand in a source."""

    key: str


class SourceStatementCountsRow(TypedDict):
    """Sentences of a source."""

    statements: int
    current: int
    added: int


class SourceTargetCountsRow(TypedDict):
    """Targets of a list, or of a source."""

    targets: int
    added: int


class SourceTripleCountsRow(TypedDict):
    """Triples of a source per relation."""

    type: str
    triples: int
    added: int


class SourceTypeCountRow(TypedDict):
    """Triples of one relation."""

    triples: int


class SourceTypeOccursRow(TypedDict):
    """Does a relationship type occur."""

    occurs: bool


class StatisticsAmplificationRow(TypedDict):
    """Does a model amplify what it learnt."""

    category: str
    targets: int
    n: int
    other_n: int
    o_plus: float
    other_o_plus: float
    o_plus_change: float
    o_minus: float
    other_o_minus: float
    o_minus_change: float
    d_o_plus: float
    other_d_o_plus: float
    d_o_plus_change: float
    d_o_minus: float
    other_d_o_minus: float
    d_o_minus_change: float
    unlabelled: int
    counts: list[list[int]]


class StatisticsCalledRow(TypedDict):
    """Who is called so."""

    target: str
    said: int
    n: int
    percent: float
    percent_low: float
    percent_high: float
    negative: int
    positive: int
    neutral: int
    without_label: int
    category: str
    examples: list[str]


class StatisticsCategoriesRow(TypedDict):
    """Categories."""

    category: str
    value: str
    targets: int
    minimum: float
    whisker_low: float
    q1: float
    median: float
    q3: float
    whisker_high: float
    maximum: float
    mean: float
    outliers: list[str]


class StatisticsCompareRow(TypedDict):
    """Compare two sources."""

    target: str
    n: int
    other_n: int
    o_plus: float
    other_o_plus: float
    o_plus_change: float
    o_plus_change_low: float
    o_plus_change_high: float
    o_minus: float
    other_o_minus: float
    o_minus_change: float
    o_minus_change_low: float
    o_minus_change_high: float
    category: str


class StatisticsCompareScorersRow(TypedDict):
    """Two scorers side by side."""

    label: str
    other_label: str
    statements: int
    percent: float
    sentences: list[str]


class StatisticsCoverageRow(TypedDict):
    """Coverage."""

    target: str
    category: str
    statements: int
    relations: int
    sources: list[str]


class StatisticsDegreesRow(TypedDict):
    """Degrees."""

    end: str
    n: int
    absent: int
    in_degree: float
    in_low: float
    in_high: float
    out_degree: float
    out_low: float
    out_high: float
    median: float
    most: int


class StatisticsDisparityRow(TypedDict):
    """Disparity."""

    category: str
    targets: int
    statements: int
    polarised_percent: float
    d_r: float
    d_o_plus: float
    d_o_minus: float
    unlabelled: int
    counts: list[list[int]]


class StatisticsExamplesRow(TypedDict):
    """Examples."""

    label: str
    score: float
    sentence: str
    statement: str
    source: str
    implied: list[str]


class StatisticsFrameEchoesRow(TypedDict):
    """Implied statements that a knowledge base makes."""

    target: str
    implied: str
    statements: list[str]
    posts: int
    annotators: int
    of: int
    echoed: int
    percent: float
    percent_low: float
    percent_high: float


class StatisticsFrameExamplesRow(TypedDict):
    """Examples of social bias frames."""

    post: str
    offensive: str | None
    intent: str | None
    lewd: str | None
    group: str | None
    target: str | None
    implied: list[str]
    in_group: str | None
    origin: str


class StatisticsFrameGroupsRow(TypedDict):
    """Targeted groups by category."""

    category: str
    target: str
    posts: int
    percent: float
    percent_low: float
    percent_high: float
    category_posts: int
    category_percent: float
    statements: int


class StatisticsFrameOriginsRow(TypedDict):
    """Origins of posts."""

    type: str
    origin: str
    posts: int
    percent: float
    percent_low: float
    percent_high: float
    offensive: float | None
    intent: float | None
    lewd: float | None
    with_group: float
    in_group: float | None
    paper: int | None


class StatisticsFramesRow(TypedDict):
    """Social bias frames."""

    what: str
    n: int
    of: int | None
    percent: float | None
    percent_low: float | None
    percent_high: float | None
    paper_n: int | None
    paper_percent: float | None


class StatisticsGroundingRow(TypedDict):
    """Grounding."""

    what: str
    n: int
    grounded: int
    percent: float
    low: float
    high: float


class StatisticsHopsRow(TypedDict):
    """Hops."""

    n: int
    both: int
    connected: int
    percent: float
    low: float
    high: float
    hops: float
    hops_low: float
    hops_high: float


class StatisticsIntersectionsRow(TypedDict):
    """Groups in combination."""

    target: str
    way: str
    n: int
    o_plus: float
    o_plus_low: float
    o_plus_high: float
    o_plus_expected: float
    o_plus_excess: float
    o_plus_excess_low: float
    o_plus_excess_high: float
    o_plus_p: float
    o_plus_q: float
    o_minus: float
    o_minus_low: float
    o_minus_high: float
    o_minus_expected: float
    o_minus_excess: float
    o_minus_excess_low: float
    o_minus_excess_high: float
    o_minus_p: float
    o_minus_q: float
    parts: list[str]
    parts_n: list[int]
    parts_o_plus: list[float]
    parts_o_minus: list[float]
    unlabelled: int


class StatisticsNeutralRow(TypedDict):
    """Neutral statements."""

    category: str
    targets: int
    statements: int
    neutral_mean: float
    neutral_variance: float
    unlabelled: int
    counts: list[list[int]]


class StatisticsOvergeneralizationRow(TypedDict):
    """Overgeneralization."""

    target: str
    category: str
    n: int
    positive: int
    negative: int
    o_plus: float
    o_plus_low: float
    o_plus_high: float
    o_minus: float
    o_minus_low: float
    o_minus_high: float
    unlabelled: int


class StatisticsRegionsRow(TypedDict):
    """Regions of overgeneralization."""

    target: str
    category: str
    region: str
    n: int
    o_plus: float
    o_minus: float
    favouritism_from: float
    prejudice_from: float


class StatisticsRelationsRow(TypedDict):
    """Relations."""

    relation: str
    n: int
    percent: float
    heads: int
    tails: int
    weight: float


class StatisticsRepresentationRow(TypedDict):
    """Representation."""

    target: str
    category: str
    n: int
    percent: float
    d_r: float


class StatisticsWordsRow(TypedDict):
    """Words."""

    label: str
    word: str
    z: float
    n: int
    other_n: int
    all_n: int


class SubgraphBalancedRow(TypedDict):
    """Triples, one relation's values made equally frequent within each object."""

    head: list[Any]
    relation: list[Any]
    tail: list[Any]
    split: list[Any]


class SubgraphKeysRow(TypedDict):
    """Keys of nodes as columns."""

    id: list[Any]
    key: list[Any]


class SubgraphNextPageRow(TypedDict):
    """Where a page of heads ends."""

    key: str | None


class SubgraphShuffledRow(TypedDict):
    """Triples, one relation's values dealt out anew."""

    head: list[Any]
    relation: list[Any]
    tail: list[Any]
    split: list[Any]


class SubgraphSizeRow(TypedDict):
    """Size of the graph."""

    nodes: int
    relationships: int
    ends: int


class SubgraphTriplesRow(TypedDict):
    """Triples as columns."""

    head: list[Any]
    relation: list[Any]
    tail: list[Any]
    split: list[Any]


class TypedRows(Protocol):
    """``Graph.rows``: what each statement takes, and the rows that it returns."""

    @overload
    def __call__(
        self,
        query: Literal["counterfactual/scores"],
        *,
        source: str,
        attribute: str | None = ...,
        score: str = ...,
        by: str = ...,
    ) -> list[CounterfactualScoresRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["counterfactual/values"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
    ) -> list[CounterfactualValuesRow]: ...
    @overload
    def __call__(self, query: Literal["digest/nodes"]) -> list[DigestNodesRow]: ...
    @overload
    def __call__(self, query: Literal["digest/relationships"]) -> list[DigestRelationshipsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["explore/harm_map"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        label: str = ...,
        source: str | None = ...,
        targets: int = ...,
        each: int = ...,
    ) -> list[ExploreHarmMapRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["explore/labels_by_source"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
    ) -> list[ExploreLabelsBySourceRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["explore/most_harmed"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        source: str | None = ...,
        category: str | None = ...,
        limit: int = ...,
    ) -> list[ExploreMostHarmedRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["explore/relationship_properties"],
        *,
        source: str | None = ...,
        limit: int = ...,
    ) -> list[ExploreRelationshipPropertiesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["explore/said_of_several"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        label: str = ...,
        source: str | None = ...,
        limit: int = ...,
        each: int = ...,
    ) -> list[ExploreSaidOfSeveralRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["explore/sentences_of_target"],
        *,
        target: str,
        label: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        source: str | None = ...,
        limit: int = ...,
    ) -> list[ExploreSentencesOfTargetRow]: ...
    @overload
    def __call__(self, query: Literal["explore/sources"]) -> list[ExploreSourcesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["explore/statement"],
        *,
        head: str | None = ...,
        type: str | None = ...,
        tail: str | None = ...,
        source: str | None = ...,
        key: str | None = ...,
    ) -> list[ExploreStatementRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["explore/statements_of_target"],
        *,
        target: str,
        label: str = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        source: str | None = ...,
        limit: int = ...,
    ) -> list[ExploreStatementsOfTargetRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["explore/targets"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        category: str | None = ...,
        limit: int = ...,
    ) -> list[ExploreTargetsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["explore/worst_by_source"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
    ) -> list[ExploreWorstBySourceRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["filter/names"],
        *,
        source: str,
        lists: list[str] | tuple[str, ...] | None = ...,
    ) -> list[FilterNamesRow]: ...
    @overload
    def __call__(self, query: Literal["filter/properties"], *, source: str) -> list[FilterPropertiesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["filter/statements"],
        *,
        source: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        measures: list[str] | tuple[str, ...] = ...,
    ) -> list[FilterStatementsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["filter/triples"],
        *,
        source: str,
        measures: list[str] | tuple[str, ...] = ...,
    ) -> list[FilterTriplesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["findings/by_assertion"],
        *,
        source: str,
        measure: str = ...,
        assertions: list[str] | tuple[str, ...],
    ) -> list[FindingsByAssertionRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["findings/by_ends"],
        *,
        source: str,
        measure: str = ...,
        rows: list[Any] | tuple[Any, ...],
    ) -> list[FindingsByEndsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["findings/by_key"],
        *,
        source: str,
        measure: str = ...,
        keys: list[str] | tuple[str, ...],
    ) -> list[FindingsByKeyRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["findings/labelled"],
        *,
        source: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        label: str = ...,
        min_score: float | None = ...,
        target: str | None = ...,
        limit: int = ...,
    ) -> list[FindingsLabelledRow]: ...
    @overload
    def __call__(self, query: Literal["frames/domains"], *, source: str | None = ...) -> list[FramesDomainsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["frames/implied"],
        *,
        source: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        category: str | None = ...,
    ) -> list[FramesImpliedRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["frames/statements"],
        *,
        source: str,
        other: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        category: str | None = ...,
    ) -> list[FramesStatementsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["job/changes"],
        *,
        job: str | None = ...,
        limit: int = ...,
    ) -> list[JobChangesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["job/died"],
        *,
        job: str,
        alive: list[str] | tuple[str, ...] = ...,
    ) -> list[JobDiedRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["job/exceeded"],
        *,
        job: str | None = ...,
        limit: int = ...,
    ) -> list[JobExceededRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["job/history"],
        *,
        job: str | None = ...,
        limit: int = ...,
    ) -> list[JobHistoryRow]: ...
    @overload
    def __call__(self, query: Literal["job/mark"]) -> list[JobMarkRow]: ...
    @overload
    def __call__(self, query: Literal["job/names"]) -> list[JobNamesRow]: ...
    @overload
    def __call__(self, query: Literal["job/numbers"], *, run: str) -> list[JobNumbersRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["job/numbers_before"],
        *,
        run: str,
        runs: int = ...,
    ) -> list[JobNumbersBeforeRow]: ...
    @overload
    def __call__(self, query: Literal["job/under_way"], *, database: str = ...) -> list[JobUnderWayRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["label/all_triples"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        source: str | None = ...,
        by: str = ...,
        label: str = ...,
    ) -> list[LabelAllTriplesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["label/count"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        source: str | None = ...,
    ) -> list[LabelCountRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["label/labelled_by"],
        *,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        measures: list[str] | tuple[str, ...] = ...,
        by: list[str] | tuple[str, ...] = ...,
    ) -> list[LabelLabelledByRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["label/named_triples"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        source: str | None = ...,
        by: str = ...,
        label: str = ...,
    ) -> list[LabelNamedTriplesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["label/other_languages"],
        *,
        language: str = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        source: str | None = ...,
        all: bool = ...,
    ) -> list[LabelOtherLanguagesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["label/statements"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        source: str | None = ...,
        by: str = ...,
        label: str = ...,
        all: bool = ...,
    ) -> list[LabelStatementsRow]: ...
    @overload
    def __call__(self, query: Literal["label/templates"]) -> list[LabelTemplatesRow]: ...
    @overload
    def __call__(self, query: Literal["language/relations"], *, source: str) -> list[LanguageRelationsRow]: ...
    @overload
    def __call__(self, query: Literal["language/statements"], *, source: str) -> list[LanguageStatementsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["language/targets"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        category: str | None = ...,
    ) -> list[LanguageTargetsRow]: ...
    @overload
    def __call__(self, query: Literal["language/triples"], *, source: str) -> list[LanguageTriplesRow]: ...
    @overload
    def __call__(self, query: Literal["link/concepts"]) -> list[LinkConceptsRow]: ...
    @overload
    def __call__(self, query: Literal["link/entities"]) -> list[LinkEntitiesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["link/event_names"],
        *,
        rows: list[Any] | tuple[Any, ...] = ...,
    ) -> list[LinkEventNamesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["link/events"],
        *,
        words: list[str] | tuple[str, ...] = ...,
    ) -> list[LinkEventsRow]: ...
    @overload
    def __call__(self, query: Literal["link/groups"]) -> list[LinkGroupsRow]: ...
    @overload
    def __call__(self, query: Literal["link/held"]) -> list[LinkHeldRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["link/languages"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        source: str | None = ...,
    ) -> list[LinkLanguagesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["link/named_statements"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        source: str | None = ...,
    ) -> list[LinkNamedStatementsRow]: ...
    @overload
    def __call__(self, query: Literal["link/parts"]) -> list[LinkPartsRow]: ...
    @overload
    def __call__(self, query: Literal["link/statements"]) -> list[LinkStatementsRow]: ...
    @overload
    def __call__(self, query: Literal["link/unknown_parts"], *, source: str) -> list[LinkUnknownPartsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["link/unlinked_terms"],
        *,
        source: str,
        limit: int = ...,
    ) -> list[LinkUnlinkedTermsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["list/chosen"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        sources: list[str] | tuple[str, ...] | None = ...,
    ) -> list[ListChosenRow]: ...
    @overload
    def __call__(self, query: Literal["list/own"], *, source: str) -> list[ListOwnRow]: ...
    @overload
    def __call__(self, query: Literal["load/batch"], *, source: str, batch: int = ...) -> list[LoadBatchRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["load/concepts"],
        *,
        rows: list[Any] | tuple[Any, ...] = ...,
    ) -> list[LoadConceptsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["load/entities"],
        *,
        rows: list[Any] | tuple[Any, ...] = ...,
    ) -> list[LoadEntitiesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["load/events"],
        *,
        rows: list[Any] | tuple[Any, ...] = ...,
    ) -> list[LoadEventsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["load/groups"],
        *,
        rows: list[str] | tuple[str, ...] = ...,
        source: str,
        import_id: str,
        since: int = ...,
    ) -> list[LoadGroupsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["load/relations"],
        *,
        rows: list[Any] | tuple[Any, ...] = ...,
        source: str,
    ) -> list[LoadRelationsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["load/targets"],
        *,
        rows: list[Any] | tuple[Any, ...] = ...,
        kind: str = ...,
        source: str,
        import_id: str,
        since: int = ...,
    ) -> list[LoadTargetsRow]: ...
    @overload
    def __call__(self, query: Literal["lock/end"], *, mark: str = ...) -> list[LockEndRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["lock/holders"],
        *,
        database: str = ...,
        mark: str = ...,
    ) -> list[LockHoldersRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["measure/about_targets"],
        *,
        measures: list[str] | tuple[str, ...],
    ) -> list[MeasureAboutTargetsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["measure/anywhere"],
        *,
        measures: list[str] | tuple[str, ...],
    ) -> list[MeasureAnywhereRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["measure/history"],
        *,
        metric: str | None = ...,
        category: str | None = ...,
        target: str | None = ...,
        source: str | None = ...,
        measures: list[str] | tuple[str, ...] | None = ...,
    ) -> list[MeasureHistoryRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["measure/kept_of_targets"],
        *,
        target_counts: list[Any] | tuple[Any, ...] = ...,
        source: str | None = ...,
        category: str | None = ...,
    ) -> list[MeasureKeptOfTargetsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["measure/kept_of_targets_and_sources"],
        *,
        target_counts: list[Any] | tuple[Any, ...] = ...,
        source: str | None = ...,
        other: str | None = ...,
        also: list[str] | tuple[str, ...] = ...,
        category: str | None = ...,
    ) -> list[MeasureKeptOfTargetsAndSourcesRow]: ...
    @overload
    def __call__(self, query: Literal["measure/named"]) -> list[MeasureNamedRow]: ...
    @overload
    def __call__(self, query: Literal["measure/state"]) -> list[MeasureStateRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["measure/target_counts"],
        *,
        lists: list[str] | tuple[str, ...],
        measure: str = ...,
    ) -> list[MeasureTargetCountsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["measure/unlabelled"],
        *,
        measures: list[str] | tuple[str, ...],
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        category: str | None = ...,
        target: str | None = ...,
    ) -> list[MeasureUnlabelledRow]: ...
    @overload
    def __call__(self, query: Literal["model/about"], *, name: str) -> list[ModelAboutRow]: ...
    @overload
    def __call__(self, query: Literal["model/list"]) -> list[ModelListRow]: ...
    @overload
    def __call__(self, query: Literal["population/candidates"], *, graph: str) -> list[PopulationCandidatesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["population/heads"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        target: str | None = ...,
    ) -> list[PopulationHeadsRow]: ...
    @overload
    def __call__(self, query: Literal["population/heads_around"], *, key: str) -> list[PopulationHeadsAroundRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["population/near_tails"],
        *,
        heads: list[str] | tuple[str, ...],
        most: int = ...,
    ) -> list[PopulationNearTailsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["population/proposals"],
        *,
        source: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        accepted: str = ...,
    ) -> list[PopulationProposalsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["population/standing_tails"],
        *,
        heads: list[str] | tuple[str, ...],
        type: str,
        requests: list[str] | tuple[str, ...] = ...,
    ) -> list[PopulationStandingTailsRow]: ...
    @overload
    def __call__(self, query: Literal["population/tails"]) -> list[PopulationTailsRow]: ...
    @overload
    def __call__(self, query: Literal["population/triples"], *, source: str) -> list[PopulationTriplesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["probe/entities"],
        *,
        keys: list[str] | tuple[str, ...],
        term: str,
    ) -> list[ProbeEntitiesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["probe/holders"],
        *,
        objects: list[str] | tuple[str, ...],
        object_inverse: bool = ...,
        source: str | None = ...,
        split: str | None = ...,
    ) -> list[ProbeHoldersRow]: ...
    @overload
    def __call__(self, query: Literal["probe/imports"]) -> list[ProbeImportsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["probe/literals"],
        *,
        property: str = ...,
        people: list[str] | tuple[str, ...] | None = ...,
        source: str | None = ...,
    ) -> list[ProbeLiteralsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["probe/map"],
        *,
        model: str | None = ...,
        probe: str | None = ...,
        limit: int = ...,
    ) -> list[ProbeMapRow]: ...
    @overload
    def __call__(self, query: Literal["probe/models"], *, model: str | None = ...) -> list[ProbeModelsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["probe/objects"],
        *,
        a: str,
        b: str | None = ...,
        min_count: int = ...,
        inverse: bool = ...,
        object_inverse: bool = ...,
        source: str | None = ...,
        split: str | None = ...,
    ) -> list[ProbeObjectsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["probe/objects_of_people"],
        *,
        people_a: list[str] | tuple[str, ...],
        people_b: list[str] | tuple[str, ...],
        min_count: int = ...,
        object_inverse: bool = ...,
        source: str | None = ...,
        split: str | None = ...,
    ) -> list[ProbeObjectsOfPeopleRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["probe/people"],
        *,
        inverse: bool = ...,
        source: str | None = ...,
        split: str | None = ...,
    ) -> list[ProbePeopleRow]: ...
    @overload
    def __call__(self, query: Literal["probe/relations"]) -> list[ProbeRelationsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["probe/results"],
        *,
        model: str | None = ...,
        probe: str | None = ...,
        limit: int = ...,
    ) -> list[ProbeResultsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["probe/values"],
        *,
        inverse: bool = ...,
        source: str | None = ...,
        split: str | None = ...,
    ) -> list[ProbeValuesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["report/background"],
        *,
        source: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        stop: list[str] | tuple[str, ...],
    ) -> list[ReportBackgroundRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["report/examples"],
        *,
        targets: list[str] | tuple[str, ...],
        source: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str,
        limit: int = ...,
    ) -> list[ReportExamplesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["report/labels"],
        *,
        source: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str,
    ) -> list[ReportLabelsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["report/labels_of_sentences"],
        *,
        sentences: list[str] | tuple[str, ...],
        source: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str,
    ) -> list[ReportLabelsOfSentencesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["report/words"],
        *,
        targets: list[str] | tuple[str, ...],
        source: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str,
        stop: list[str] | tuple[str, ...],
    ) -> list[ReportWordsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["retrained/generations"],
        *,
        trained_on: str,
        judged_on: str | None = ...,
    ) -> list[RetrainedGenerationsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["retrained/known"],
        *,
        source: str,
        first: str,
        other: str,
        prefix: str = ...,
    ) -> list[RetrainedKnownRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["retrained/shares"],
        *,
        source: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        category: str | None = ...,
    ) -> list[RetrainedSharesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["review/context"],
        *,
        target: str,
        source: str,
        limit: int = ...,
    ) -> list[ReviewContextRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["review/sentences"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        source: str | None = ...,
        target: str | None = ...,
        measure: str = ...,
    ) -> list[ReviewSentencesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["review/standing"],
        *,
        ids: list[str] | tuple[str, ...] = ...,
        by: str = ...,
    ) -> list[ReviewStandingRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["review/triples"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        source: str | None = ...,
        target: str | None = ...,
        measure: str = ...,
    ) -> list[ReviewTriplesRow]: ...
    @overload
    def __call__(self, query: Literal["schema/counts"]) -> list[SchemaCountsRow]: ...
    @overload
    def __call__(self, query: Literal["schema/form"]) -> list[SchemaFormRow]: ...
    @overload
    def __call__(self, query: Literal["schema/indexes"]) -> list[SchemaIndexesRow]: ...
    @overload
    def __call__(self, query: Literal["schema/names"], *, limit: int = ...) -> list[SchemaNamesRow]: ...
    @overload
    def __call__(self, query: Literal["schema/state"], *, database: str = ...) -> list[SchemaStateRow]: ...
    @overload
    def __call__(self, query: Literal["schema/store"]) -> list[SchemaStoreRow]: ...
    @overload
    def __call__(self, query: Literal["schema/version"]) -> list[SchemaVersionRow]: ...
    @overload
    def __call__(self, query: Literal["source/all_statements"]) -> list[SourceAllStatementsRow]: ...
    @overload
    def __call__(self, query: Literal["source/change"], *, source: str) -> list[SourceChangeRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["source/changed"],
        *,
        source: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        measures: list[str] | tuple[str, ...],
        was: list[str] | tuple[str, ...],
        since: int | None = ...,
        without: str | None = ...,
        relabelled: str | None = ...,
        target: str | None = ...,
        limit: int = ...,
    ) -> list[SourceChangedRow]: ...
    @overload
    def __call__(self, query: Literal["source/export_nodes"], *, source: str) -> list[SourceExportNodesRow]: ...
    @overload
    def __call__(self, query: Literal["source/export_triples"], *, source: str) -> list[SourceExportTriplesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["source/finish"],
        *,
        name: str,
        import_id: str,
        counts: str,
        summary: str,
    ) -> list[SourceFinishRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["source/held"],
        *,
        targets: str | None = ...,
        source: str | None = ...,
        import_id: str | None = ...,
    ) -> list[SourceHeldRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["source/labels_by_target"],
        *,
        source: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        measures: list[str] | tuple[str, ...],
        since: int | None = ...,
        without: str | None = ...,
    ) -> list[SourceLabelsByTargetRow]: ...
    @overload
    def __call__(self, query: Literal["source/list"]) -> list[SourceListRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["source/lost_statements"],
        *,
        source: str,
        import_id: str,
        since: int = ...,
    ) -> list[SourceLostStatementsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["source/lost_targets"],
        *,
        source: str,
        import_id: str,
        since: int = ...,
    ) -> list[SourceLostTargetsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["source/lost_triples"],
        *,
        source: str,
        import_id: str,
        since: int = ...,
    ) -> list[SourceLostTriplesRow]: ...
    @overload
    def __call__(self, query: Literal["source/missing_terms"]) -> list[SourceMissingTermsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["source/relabelled"],
        *,
        source: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        was: str,
        relabelled: str,
    ) -> list[SourceRelabelledRow]: ...
    @overload
    def __call__(self, query: Literal["source/relation_names"]) -> list[SourceRelationNamesRow]: ...
    @overload
    def __call__(self, query: Literal["source/relation_types"]) -> list[SourceRelationTypesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["source/standing_keys"],
        *,
        keys: list[str] | tuple[str, ...],
        source: str,
    ) -> list[SourceStandingKeysRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["source/statement_counts"],
        *,
        source: str,
        import_id: str,
        since: int = ...,
    ) -> list[SourceStatementCountsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["source/target_counts"],
        *,
        source: str,
        since: int = ...,
    ) -> list[SourceTargetCountsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["source/triple_counts"],
        *,
        source: str,
        since: int = ...,
    ) -> list[SourceTripleCountsRow]: ...
    @overload
    def __call__(self, query: Literal["source/type_count"]) -> list[SourceTypeCountRow]: ...
    @overload
    def __call__(self, query: Literal["source/type_occurs"]) -> list[SourceTypeOccursRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/amplification"],
        *,
        source: str,
        other: str,
        also: list[str] | tuple[str, ...] = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        category: str | None = ...,
        relation: str | None = ...,
        min_support: int = ...,
    ) -> list[StatisticsAmplificationRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/called"],
        *,
        word: str,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        category: str | None = ...,
        min_support: int = ...,
        limit: int = ...,
        examples: int = ...,
    ) -> list[StatisticsCalledRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/categories"],
        *,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        category: str | None = ...,
        min_support: int = ...,
    ) -> list[StatisticsCategoriesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/compare"],
        *,
        source: str,
        other: str,
        also: list[str] | tuple[str, ...] = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        category: str | None = ...,
        min_support: int = ...,
    ) -> list[StatisticsCompareRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/compare_scorers"],
        *,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        against: str = ...,
        source: str | None = ...,
        examples: int = ...,
    ) -> list[StatisticsCompareScorersRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/coverage"],
        *,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        category: str | None = ...,
        without: bool = ...,
    ) -> list[StatisticsCoverageRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/degrees"],
        *,
        source: str,
        other: str | None = ...,
    ) -> list[StatisticsDegreesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/disparity"],
        *,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        category: str | None = ...,
        min_support: int = ...,
    ) -> list[StatisticsDisparityRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/examples"],
        *,
        target: str,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        label: str | None = ...,
        limit: int = ...,
    ) -> list[StatisticsExamplesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/frame_echoes"],
        *,
        source: str,
        other: str,
        lists: list[str] | tuple[str, ...] | None = ...,
        category: str | None = ...,
        denials: list[str] | tuple[str, ...] = ...,
        limit: int = ...,
    ) -> list[StatisticsFrameEchoesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/frame_examples"],
        *,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        target: str | None = ...,
        origin: str | None = ...,
        limit: int = ...,
    ) -> list[StatisticsFrameExamplesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/frame_groups"],
        *,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        category: str | None = ...,
        each: int = ...,
    ) -> list[StatisticsFrameGroupsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/frame_origins"],
        *,
        source: str | None = ...,
    ) -> list[StatisticsFrameOriginsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/frames"],
        *,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        origin: str | None = ...,
    ) -> list[StatisticsFramesRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/grounding"],
        *,
        source: str,
        other: str,
    ) -> list[StatisticsGroundingRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/hops"],
        *,
        source: str,
        other: str,
        sample: int = ...,
        sample_seed: int = ...,
        directed: bool = ...,
    ) -> list[StatisticsHopsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/intersections"],
        *,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        categories: str | None = ...,
        min_support: int = ...,
        linked: bool = ...,
    ) -> list[StatisticsIntersectionsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/neutral"],
        *,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        category: str | None = ...,
        min_support: int = ...,
    ) -> list[StatisticsNeutralRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/overgeneralization"],
        *,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        category: str | None = ...,
        target: str | None = ...,
        min_support: int = ...,
    ) -> list[StatisticsOvergeneralizationRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/regions"],
        *,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        category: str | None = ...,
        favouritism: float | None = ...,
        prejudice: float | None = ...,
        min_support: int = ...,
    ) -> list[StatisticsRegionsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/relations"],
        *,
        source: str | None = ...,
    ) -> list[StatisticsRelationsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/representation"],
        *,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        category: str | None = ...,
    ) -> list[StatisticsRepresentationRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["statistics/words"],
        *,
        target: str,
        source: str | None = ...,
        lists: list[str] | tuple[str, ...] | None = ...,
        measure: str = ...,
        label: str | None = ...,
        stop: list[str] | tuple[str, ...] = ...,
        prior: float | None = ...,
        limit: int = ...,
    ) -> list[StatisticsWordsRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["subgraph/balanced"],
        *,
        relation: str,
        a: str,
        b: str,
        over: str,
        inverse: bool = ...,
        over_inverse: bool = ...,
        seed: int = ...,
        source: str | None = ...,
    ) -> list[SubgraphBalancedRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["subgraph/keys"],
        *,
        first: str = ...,
        last: str | None = ...,
    ) -> list[SubgraphKeysRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["subgraph/next_page"],
        *,
        first: str = ...,
        size: int = ...,
    ) -> list[SubgraphNextPageRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["subgraph/shuffled"],
        *,
        relation: str,
        inverse: bool = ...,
        shift: int = ...,
        source: str | None = ...,
    ) -> list[SubgraphShuffledRow]: ...
    @overload
    def __call__(self, query: Literal["subgraph/size"]) -> list[SubgraphSizeRow]: ...
    @overload
    def __call__(
        self,
        query: Literal["subgraph/triples"],
        *,
        source: str | None = ...,
        first: str = ...,
        last: str | None = ...,
    ) -> list[SubgraphTriplesRow]: ...
    @overload
    def __call__(self, query: Statement, **parameters: Any) -> list[dict[str, Any]]: ...
