"""What each form writes and reads: the maintainers' grammar, and no line that means something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.graph.records import Concept, Entity, Statement, Triple
from harmgraph.loader.corrections.blocklist import DERIVED, Blocklist
from harmgraph.loader.corrections.form import (
    ID,
    ROW,
    TRIPLE,
    URI,
    Finding,
    Key,
    NotHandedBack,
    StatementPlace,
    keys_of,
    parts,
)
from harmgraph.loader.corrections.quickstatements import QuickStatements
from harmgraph.loader.corrections.rows import CUT, LONGEST_ROW, Rows, escaped, unescaped
from harmgraph.loader.corrections.triples import FreebaseTriples, Triples
from harmgraph.loader.formats.importer import importers

LAWYER = Triple(
    Concept("tax lawyer"),
    "/r/IsA",
    Concept("liar"),
    "/a/[/r/IsA/,/c/en/tax_lawyer/n/wn/person/,/c/en/liar/]",
    {"head_sense": "n/wn/person", "dataset": "/d/conceptnet/4/en"},
    3,
)
OCCUPATION = Finding("a", "wikidata/Q42", "P106", "wikidata/Q5", "occupation", "Q42$1-a", rank="preferred")


def left_out(entry: str) -> bool:
    """Whether a line of a blocklist leaves out the assertion about the tax lawyer."""
    keys = Blocklist().keys(entry)
    return bool({*keys} & {*keys_of(LAWYER, frozenset((ID, URI)), "f", apart=False)})


@pytest.mark.parametrize(
    "entry",
    [
        LAWYER.assertion,
        f"  {LAWYER.assertion} ",
        "/c/en/tax_lawyer",
        "/c/en/tax_lawyer/n",
        "/c/en/tax_lawyer/n/wn/person",
        "/c/en/liar",
        "/c/en",
        "/r/IsA",
        "/d/conceptnet",
        "/d/conceptnet/4/en",
    ],
)
def test_a_blocklist_blocks_what_begins_with_its_entry(entry: str) -> None:
    assert left_out(entry)


@pytest.mark.parametrize(
    "entry",
    [
        "/a/[/r/IsA/,/c/en/tax_lawyer/,/c/en/liar/]",  # another assertion: without the sense
        "/c/en/tax",  # whole parts alone
        "/c/en/tax_lawyer/v",
        "/c/en/liar/n",  # the tail has no sense, so it may be another word
        "/c/de/liar",
        "/r/Is",
        "/d/conceptnet/4/fr",
        "DERIVED /c/en/liar",  # the words that come from it alone
    ],
)
def test_and_nothing_else(entry: str) -> None:
    assert Blocklist().keys(entry)
    assert not left_out(entry)


def test_a_relation_without_its_prefix_and_a_web_address_are_found() -> None:
    plain = Triple(Concept("a"), "ExternalURL", Concept("http://x.org/y", "url"))
    keys = {*keys_of(plain, frozenset((URI,)), "f", apart=False)}
    assert {(URI, "/r/ExternalURL"), (URI, "http://x.org/y"), (URI, "/c/en/a")} <= keys
    assert (URI, "http://x.org") not in keys


def test_derived_words_and_what_comes_from_them() -> None:
    def edge(relation: str, start: str, end: str) -> str:
        return f"/a/[…]\t/r/{relation}\t{start}\t{end}\t{{}}"

    lines = [
        edge("FormOf", "/c/en/worded/v", "/c/en/wordy"),  # before the line that makes its root a derived word
        edge("DerivedFrom", "/c/en/wordy/a", "/c/en/word/n"),
        edge("RelatedTo", "/c/en/text", "/c/en/word"),
        edge("EtymologicallyDerivedFrom", "/c/en/wort", "/c/en/word"),
        edge("DerivedFrom", "/c/en/word", "/c/en/root"),
        "torn\t/r/DerivedFrom\t",
    ]
    keys = dict.fromkeys(Blocklist().keys("derived /c/en/word"), (4,))
    assert keys == {(DERIVED, "/c/en/word"): (4,)}
    expected = {(URI, "/c/en/wordy"): (4,), (URI, "/c/en/worded"): (4,)}
    assert Blocklist().further(keys, lambda: lines) == expected
    assert Blocklist().further({(URI, "/c/en/word"): (1,)}, lambda: 1 / 0) == {}  # type: ignore[arg-type]


def test_a_finding_of_conceptnet_is_its_assertion() -> None:
    assert Blocklist().lines(Finding("x", assertion=LAWYER.assertion), []) == (LAWYER.assertion,)
    for assertion in ("", "12", "word"):
        with pytest.raises(NotHandedBack, match="no assertion id"):
            Blocklist().lines(Finding("x", "en/a", "IS_A", "en/b", assertion=assertion), [])


def test_quickstatements_remove_by_id_or_by_value() -> None:
    form = QuickStatements()
    assert form.lines(OCCUPATION, []) == ("-STATEMENT\tQ42$1-a",)
    by_value = Finding("a", "wikidata/Q42", "P106", "wikidata/Q5")
    assert form.lines(by_value, []) == ("-Q42\tP106\tQ5",)
    assert form.remarked(form.lines(OCCUPATION, []), OCCUPATION.remarks()) == [
        f"-STATEMENT\tQ42$1-a /* a; finding: {OCCUPATION.id}; rank: preferred */"
    ]
    assert form.opening(["x"]) == []


VALUE: tuple[Key, ...] = ((TRIPLE, "wikidata/Q42", "P106", "wikidata/Q5"),)


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("-STATEMENT\tQ42$1-a", ((ID, "Q42$1-a"),)),
        ("-statement|q42$1-a /* why */", ((ID, "q42$1-a"),)),
        ("-Q42\tP106\tQ5 /* why; */", VALUE),
        ("-Q42|P106|Q5", VALUE),
        ("Q42\tP106\tQ5\tR-", VALUE),
        ("Q42\tP106\tQ5", ()),  # it adds a statement
        ("Q42\tP106\tQ5\tR+", ()),
        ("-Q42\tP106\tQ5\tP580\tQ6", ()),  # it removes a qualifier
        ('-Q42\tLen\t"x"', ()),
        ("-STATEMENT\tx", ()),
        ("CREATE", ()),
    ],
)
def test_quickstatements_are_read(line: str, keys: tuple[Key, ...]) -> None:
    assert QuickStatements().keys(line) == keys


def test_a_remark_cannot_end_the_comment_or_the_line() -> None:
    finding = Finding("a */ -Q1\tP1\tQ2\n-Q3\tP3\tQ4", "wikidata/Q42", "P106", "wikidata/Q5")
    (line,) = QuickStatements().remarked(QuickStatements().lines(finding, []), finding.remarks())
    assert QuickStatements().keys(line) == VALUE
    text = Blocklist().remarked(["/a/1"], Finding("a\n/c/en\r/c/de\x1b[2J").remarks())
    assert [line for line in text if not Blocklist().ignored(line)] == ["/a/1"]


def test_freebase_has_its_own_notation() -> None:
    finding = Finding("x", "freebase/m.027rn", "PEOPLE_PERSON", "freebase/m.06", "/people/person")
    line = "/m/027rn\t/people/person\t/m/06"
    assert FreebaseTriples().lines(finding, []) == (line,)
    assert FreebaseTriples().keys(line) == ((TRIPLE, "freebase/m.027rn", "PEOPLE_PERSON", "freebase/m.06"),)
    assert FreebaseTriples().keys("/m/1\t///\t/m/2") == ()


def test_triples_have_the_keys_of_the_graph() -> None:
    finding = Finding("x", "en/a b", "IS_A", "en/c\td")
    (line,) = Triples().lines(finding, [])
    assert line == "en/a b\tIS_A\ten/c\\td"
    assert Triples().keys(line) == ((TRIPLE, "en/a b", "IS_A", "en/c\td"),)


ROWED = st.text().filter(lambda text: "\n" not in text and "\r" not in text)


@given(st.text(), st.text(), st.text(), st.text(), ROWED, st.integers(1))
def test_a_row_is_read_as_it_was_written(file: str, head: str, tail: str, own: str, row: str, number: int) -> None:
    place = StatementPlace(file, number, head, "IS_A", tail, own, row)
    (line,) = Rows().lines(Finding("x"), [place])
    assert "\n" not in line
    assert not Rows().ignored(line)
    assert Rows().keys(line) == tuple((ROW, file, at, head, "IS_A", tail, own) for at in (str(number), ""))
    assert not any(form.keys(line) for form in (QuickStatements(), FreebaseTriples(), Triples()))


@given(st.text())
def test_what_is_escaped_comes_back(cell: str) -> None:
    assert unescaped(escaped(cell)) == cell


def test_a_line_matters_where_equal_lines_are_kept_apart() -> None:
    sentence = Statement("S.", "lawyer", line=7, place="2")
    assert parts(sentence) == ("lawyer", "", "S.", "2")
    kinds = frozenset((ROW, ID, URI, TRIPLE))
    assert list(keys_of(sentence, kinds, "f", apart=True)) == [(ROW, "f", "7", "lawyer", "", "S.", "2")]
    assert list(keys_of(sentence, kinds, "f", apart=False)) == [(ROW, "f", "", "lawyer", "", "S.", "2")]
    assert list(keys_of(Entity("wikidata/Q1"), kinds, "f", apart=False)) == []


def test_no_two_forms_claim_the_same_line() -> None:
    forms = {importer.corrections for importer in importers}
    assert {form.name for form in forms} == {"blocklist", "quickstatements", "freebase triples", "triples", "rows"}
    place = StatementPlace("f", 1, "a", "IS_A", "b", "", "row")
    finding = Finding("x", "en/a", "IS_A", "en/b", "IsA", "/a/1")
    of_freebase = Finding("x", "freebase/m.1", "P", "freebase/m.2", "/p")
    for given_finding in (finding, OCCUPATION, of_freebase):
        for form in forms:
            try:
                lines = form.lines(given_finding, [place])
            except NotHandedBack:
                continue
            claims = [other for other in forms if any(other.keys(line) for line in lines)]
            assert claims == [form]


def test_a_row_of_megabytes_is_cut_and_still_names_its_statement() -> None:
    place = StatementPlace("all.json", 1, "nurse", "", "a nurse smiled", "3", "x" * 5_000_000)
    (line,) = Rows().lines(OCCUPATION, [place])
    assert line.endswith("x" + CUT)
    assert len(line) < LONGEST_ROW + 200
    assert Rows().keys(line)[0] == (ROW, "all.json", "1", "nurse", "", "a nurse smiled", "3")
