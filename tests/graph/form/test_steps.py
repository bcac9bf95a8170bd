"""The steps between the versions of the graph's form: files with numbers without a gap."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harmgraph.graph.form import steps as form_steps
from harmgraph.graph.form.steps import UpgradeStep, newest, steps
from harmgraph.graph.statements import statement


@pytest.fixture
def afresh() -> Iterator[None]:
    steps.cache_clear()
    yield
    steps.cache_clear()


def test_every_step_has_the_next_number_and_says_what_it_does() -> None:
    assert [step.version for step in steps()] == list(range(1, newest() + 1))
    for step in steps():
        query = statement(step.statement)
        assert query.description
        assert not query.parameters, f"{step.statement} runs as it stands"


def test_a_new_step_is_a_new_file(afresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form_steps, "names", lambda folder: ("upgrade/0001_a", "upgrade/0002_b_c"))
    assert steps() == (UpgradeStep(1, "upgrade/0001_a"), UpgradeStep(2, "upgrade/0002_b_c"))
    assert newest() == 2


@pytest.mark.parametrize(
    "names",
    [("upgrade/0002_a",), ("upgrade/0001_a", "upgrade/0001_b"), ("upgrade/1_a",), ("upgrade/0001_a", "upgrade/0003_b")],
)
def test_a_wrong_number_is_found(names: tuple[str, ...], afresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form_steps, "names", lambda folder: names)
    with pytest.raises(ValueError, match=r"upgrade"):
        steps()
