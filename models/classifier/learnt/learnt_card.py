"""The model card of a scorer that learnt from people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harmgraph.models.classifier.learnt.three_numbers import NAMES
from harmgraph.models.model_card import listed

if TYPE_CHECKING:
    from harmgraph.models.classifier.learnt.learnt_record import LearntRecord
    from harmgraph.models.classifier.learnt.three_numbers import PeopleScore

PAGE = """\
# {name}

A scorer of English sentences: favouritism, neutral or prejudice, as people judge them. Made by `harmgraph scorer train --from`.
`harmgraph label learnt --model {name}` labels a graph with it.

## What it learnt from
- {files}: {labels:,} labels of {sentences:,} sentences about {targets:,} targets. The labels of one sentence stay apart.
- Encoder: `{encoder}`, not trained further.
- Teachers: {teachers}.
- Silver labels: {silver}.

## How well it agrees with people
On each tenth of the targets, by a layer that learnt neither these targets nor these texts. 95 % intervals from a bootstrap over
whole targets.

| | accuracy | F1 of favouritism | F1 of prejudice | labels |
|---|---|---|---|---|
{scores}

How much better it is than each of the others, in the same resamples:

| | accuracy | F1 of favouritism | F1 of prejudice |
|---|---|---|---|
{gains}

## Calibration
The expected calibration error is {error:.3f}, and {before:.3f} without the temperature ({temperature:.2f}).

| label | probability | sentences | mean probability | people |
|---|---|---|---|---|
{calibration}

A label is chosen by its probability times {shift}, because a rare label is hardly ever the likeliest.

## Intended use
It repeats the judgement of the people who labelled the sentences, on short sentences whose target is masked. Use it for
statistics over many statements, and correct them with people's labels (`--corrected`). Do not judge single people with it.

Strength {strength}, seed {seed}. Versions: {versions}. Trained {at}.
"""


def learnt_card(known: LearntRecord) -> str:
    """The model card, in Markdown."""
    return PAGE.format(
        name=known.name,
        files=", ".join(f"`{file}`" for file in known.files),
        labels=known.labels,
        sentences=known.sentences,
        targets=known.targets,
        encoder=known.identity["encoder"],
        teachers=", ".join(f"`{teacher['by']}`" for teacher in known.teachers) or "none",
        silver=", ".join(f"`{each.file}` ({each.examples:,})" for each in known.silver) or "none",
        scores="\n".join(f"{_row(score)} {score.n:,} |" for score in known.scores),
        gains="\n".join(_row(gain, "+.3f") for gain in known.gains) or "| none | | | |",
        error=known.error,
        before=known.error_before,
        temperature=known.temperature,
        calibration="\n".join(
            f"| {row.label} | {row.least:g} to {row.most:g} | {row.n:,} | {row.said:.3f} | {row.people:.3f} |"
            for row in known.calibration
        ),
        shift=", ".join(f"{each:g}" for each in known.shift),
        strength=known.strength,
        seed=known.identity["seed"],
        versions=listed(known.versions),
        at=known.trained_at,
    )


def _row(score: PeopleScore, form: str = ".3f") -> str:
    cells = [
        f"{getattr(score, name):{form}} [{score.low[place]:{form}}, {score.high[place]:{form}}]"
        for place, name in enumerate(NAMES)
    ]
    return f"| {score.who} | {' | '.join(cells)} |"
