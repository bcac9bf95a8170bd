"""Agreement of people who voted on triples: by another library, by hand, and what is wrong with a file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from statsmodels.stats.inter_rater import fleiss_kappa

from harmgraph.__main__ import main
from harmgraph.analytics.agreement.votes import Votes, read_votes, vote_agreement
from harmgraph.common.errors import UnreadableFile

HEADER = "head,relation,tail,worker_vote,split\n"


def written(folder: Path, *rows: str) -> Path:
    path = folder / "votes.csv"
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def test_by_hand(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        'a,xWant,b,"[1, 1, 1, 0]",tst',
        'a,xWant,c,"[1, 1, 0, 0]",tst',
        'a,xReact,d,"[0, 0, 0, 0]",tst',
        'a,xReact,e,"[1]",tst',
        "a,xReact,f,,tst",
    )
    both, want, react = vote_agreement(read_votes(path))
    assert (both.relation, both.triples, both.votes) == ("all", 3, 12)
    # Of the six pairs of each triple 3, 2 and 6 are the same.
    assert both.agreement == pytest.approx(11 / 18)
    assert want.agreement == pytest.approx(5 / 12)
    # Three votes have most of the others on their side and one has none; then two of four have one of three; then all four have.
    assert both.one == pytest.approx((3 + 0 + 4) / 12)
    assert both.fleiss_kappa == pytest.approx(fleiss_kappa(np.array([[1, 3], [2, 2], [4, 0]])))
    assert (react.triples, react.fleiss_kappa, react.one) == (1, None, 1)
    assert (both.more, both.more_triples, both.agreement_low) == (None, 0, None), "no more votes, and few triples"


def test_an_even_split_of_the_others_is_half_right(tmp_path: Path) -> None:
    (both, _) = vote_agreement(read_votes(written(tmp_path, 'a,xWant,b,"[1, 1, 0]",tst')))
    # Each 1 sees a 1 and a 0; the 0 sees two 1.
    assert both.one == pytest.approx((0.5 + 0.5 + 0) / 3)


def test_the_first_five_against_all(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        'a,xWant,b,"[1, 1, 1, 0, 0, 0, 0]",tst',
        'a,xWant,c,"[1, 1, 1, 1, 0, 0, 0]",tst',
        'a,xWant,d,"[1, 1, 1, 1, 1]",tst',
    )
    both = vote_agreement(read_votes(path))[0]
    assert (both.more, both.more_triples) == (0.5, 2), "of the first, the experts turn the label"
    assert both.more_low is not None
    assert both.more_high is not None
    assert 0 < both.more_low < 0.5 < both.more_high < 1
    assert both.kappa_triples == 2


def test_one_that_all_split_evenly_is_half_right() -> None:
    for cast in ((1, 1, 1, 0, 0, 0), (0, 0, 0, 1, 1, 1)):
        assert vote_agreement(Votes({"xWant": [cast]}))[0].more == 0.5


def test_relations_have_one_spelling_and_none_hides_the_total(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    rows = ('a,all,"[1.0, 0.0]",,', 'a,general Effect,"[1, 1]",,', 'a,gEffect,"[0, 0]",,', 'a,odd,"[1, 1]",,')
    path.write_text("tail,relation,worker_vote,note,note\n" + "\n".join(rows) + "\n")
    found = vote_agreement(read_votes(path))
    assert [(row.relation, row.triples) for row in found] == [("all", 4), ("all", 1), ("gEffect", 2), ("odd", 1)]


def test_where_all_agree_there_is_no_interval() -> None:
    row = vote_agreement(Votes({"xWant": [(1, 1, 1)] * 30}))[0]
    assert (row.agreement, row.one, row.fleiss_kappa) == (1, 1, None)
    assert (row.agreement_low, row.one_low) == (None, None)


def test_intervals_and_kappa_are_those_of_the_library() -> None:
    generator = np.random.default_rng(3)
    plausible = generator.random(300)
    votes = [tuple(map(int, generator.random(5) < share)) for share in plausible]
    row = vote_agreement(Votes({"xWant": votes}), resamples=200)[0]
    counts = np.array([(5 - sum(cast), sum(cast)) for cast in votes])
    assert row.fleiss_kappa == pytest.approx(fleiss_kappa(counts))
    for name in ("agreement", "fleiss_kappa", "one"):
        low, value, high = (getattr(row, f"{name}{end}") for end in ("_low", "", "_high"))
        assert value - 0.1 < low < value < high < value + 0.1, name
    assert vote_agreement(Votes({"xWant": votes}), resamples=0)[0].agreement_low is None


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        (['a,xWant,b,"[1, 2]",tst'], "are not a JSON list of 0 and 1"),
        (["a,xWant,b,yes,tst"], "are not a JSON list of 0 and 1"),
        (["a,xWant,b,[1]"], "has 4 columns where 5 are expected"),
        (['a,xWant,b,"[]",tst'], "are not a JSON list of 0 and 1"),
        (["a,xWant,b,,tst"], "has no triple with two votes"),
        (["a,xWant,b,[1],tst"], "has no triple with two votes"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, rows: list[str], what: str) -> None:
    with pytest.raises(UnreadableFile, match=what):
        read_votes(written(tmp_path, *rows))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, 'a,xWant,b,"[1, 1, 1, 0]",tst', 'a,xReact,b,"[1, 0, 0, 0]",tst')
    assert main(["agree", "--votes", str(path), "--output", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["relation"], row["agreement"]) for row in rows] == [("all", 0.5), ("xWant", 0.5), ("xReact", 0.5)]
    assert main(["agree", "--votes", str(path)]) == 0
    assert "xReact" in capsys.readouterr().out
    more = written(tmp_path, 'a,xWant,b,"[1, 1, 1, 0]",tst', "a,xReact,b,[1],tst", "a,xReact,c,,tst")
    assert main(["agree", "--votes", str(more)]) == 0
    said = capsys.readouterr().err
    assert "left out: 1 rows without votes" in said
    assert "left out: 1 triples with one vote" in said
    assert main(["agree", "--votes", str(path), "--frames", str(path)]) == 2
    assert main(["agree", "--votes", str(path), "--dialect-from", "0.2"]) == 2
    assert "--votes goes with --resamples" in capsys.readouterr().err
    bare = tmp_path / "bare.csv"
    bare.write_text("head,relation,tail,label\na,xWant,b,1\n")
    assert main(["agree", "--votes", str(bare)]) == 1
    assert "has no column worker_vote" in capsys.readouterr().err
