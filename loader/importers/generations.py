"""What a language model said of the values of an attribute: samples of counterfactual prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from harmgraph.common.errors import BadRecord
from harmgraph.common.options import Option
from harmgraph.graph.records import MAX_NAME, Properties, Record, Scalar, Skip, Statement, Target, check_text, normalise
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.evaluation_logs import (
    NO_ANSWER,
    answers,
    asked,
    harness_answers,
    harness_prompt,
    inspect_samples,
)
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser, rejected
from harmgraph.loader.formats.json_value import json_value
from harmgraph.loader.formats.lines import Lines, open_lines
from harmgraph.loader.formats.terms import SENTENCES, spoken

FIELDS = ("attribute", "value", "template", "text")  # that a line must have
OTHER = ("other_attribute", "other_value", "other_template")  # a line of two attributes has all of them
PROMPT, RESPONSE = "_prompt", "_response"  # ends of LangFair's names of columns
FAILED = "Unable to get response"  # LangFair's response where the model gave none
PLACE = "{value}"
CATEGORIES = {"occupation": "profession", "country": "origin"}
"""Categories of targets that are made, by attribute; of any other attribute it is the attribute itself."""
RESERVED = "all"  # no category of targets, as in statistics it means every category
GIVEN = "given"

ATTRIBUTE = Option(
    "attribute", "group", "attribute of files that do not name one, such as LangFair's: gender, race ..."
)


class Generations(Importer):
    """JSON lines with ``attribute``, ``value``, ``template`` and ``text``, and perhaps ``subgroup``, ``prompt``, ``score``.

    A line of two attributes has ``other_attribute``, ``other_value`` and ``other_template`` too, and perhaps ``other_subgroup``.
    Or what LangFair's ``CounterfactualGenerator`` returns: the whole as JSON on one line, or its data as JSON lines with
    ``male_prompt``, ``male_response``, ``female_prompt`` ... Or a log of Inspect (``.eval``, ``.json``), whose samples have value
    and template in their metadata. Or the samples of lm-evaluation-harness, whose ``doc`` has them. Each line, and each answer of
    a log, is a sample of its own, also where two texts are equal. A score is 0 (negative) to
    1 (positive); it becomes the label ``given`` (docs/decisions/0019-samples.md).
    """

    name = "generations"
    about = About(
        title="samples of a language model, of counterfactual prompts",
        home="https://aclanthology.org/2020.findings-emnlp.7",
        licence="that of the model",
        citation="Huang et al. 2020, Reducing Sentiment Bias in Language Models via Counterfactual Evaluation",
        version="that of the model",
        kind="what models said",
    )
    gives = "statements"
    properties = (
        *("attribute", "value", "subgroup", "template", "prompt", "language"),
        *(*OTHER, "other_subgroup"),
        *(GIVEN, f"{GIVEN}_score", f"{GIVEN}_by"),
    )
    options = (ATTRIBUTE, SENTENCES)
    samples = True
    longest_line = 64_000_000  # LangFair's result on one line
    corrections = Rows()
    example = '{"attribute": "occupation", "value": "nurse", "template": "My friend is {a value}, and we", "text": "are glad."}'

    def of_whole(self, lines: Lines, options: Mapping[str, Any]) -> Iterator[Record] | None:
        """See ``Importer.of_whole``; of logs of Inspect."""
        samples = inspect_samples(lines)
        return None if samples is None else _of_log(lines, samples, options)

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``; a line of LangFair has several records."""
        language = spoken(options)
        attribute = str(options["attribute"]).strip()
        first_filter = cache(lambda: _first_filter(lines.path, self.longest_line))

        def parse(line: str, line_number: int) -> Record | list[Record]:
            facts = _object(line)
            data = facts.get("data")
            if isinstance(data, dict):
                return list(_langfair(_rows(data), attribute, language, line_number))
            if _of_harness(facts):
                if facts.get("filter") != first_filter():
                    raise LeftOut("the same answers through another filter")
                texts = harness_answers(facts)
                return list(_evaluated(facts["doc"], harness_prompt(facts), texts, attribute, language, line_number))
            if any(name.endswith(RESPONSE) for name in facts):
                return list(_langfair([facts], attribute, language, line_number))
            return _sample(facts, language, line_number)

        return parse

    def target_of(self, statement: Statement) -> Target:
        """See ``Importer.target_of``: the value, in the category of its attribute."""
        attribute = normalise(str(statement.properties["attribute"]))
        title, language = str(statement.properties["value"]), str(statement.properties.get("language", "en"))
        return Target(statement.term, CATEGORIES.get(attribute, attribute), title, language=language)


def _of_log(
    lines: Lines, samples: Iterator[tuple[int, Mapping[str, Any] | BadLine]], options: Mapping[str, Any]
) -> Iterator[Record]:
    language, attribute = spoken(options), str(options["attribute"]).strip()
    for number, sample in samples:
        lines.rows = number
        try:
            if isinstance(sample, BadLine):
                raise sample
            metadata = sample.get("metadata")
            known = metadata if isinstance(metadata, dict) else {}
            yield from _evaluated(known, asked(sample), answers(sample), attribute, language, number)
        except BadRecord as bad:
            shown = sample.get("id") if isinstance(sample, dict) else ""
            yield rejected(lines.name, number, bad, f"sample {shown}")


def _evaluated(
    known: Mapping[str, Any], prompt: str, texts: Sequence[str], attribute: str, language: Properties, number: int
) -> Iterator[Record]:
    """A sample for each answer of a log; where nothing says the template, it is the prompt with a place for the value.

    Raises:
        BadLine: it does not say its value, or no template can be made.
    """
    facts = {name: known[name] for name in (*FIELDS, "subgroup", "prompt", *OTHER, "other_subgroup") if name in known}
    if facts.get("value") in (None, ""):
        raise BadLine(
            "the sample does not say its 'value', in the metadata of Inspect or the doc of lm-evaluation-harness"
        )
    facts = {"attribute": attribute} | facts | ({"prompt": prompt} if prompt else {})
    if "template" not in facts:
        parts = re.split(rf"\b{re.escape(str(facts['value']))}\b", prompt, flags=re.IGNORECASE)
        if len(parts) == 1:
            raise BadLine("the sample has no 'template', and its prompt does not name the value")
        facts["template"] = PLACE.join(parts)
    if not texts:
        yield Skip(number, NO_ANSWER)
    for place, text in enumerate(texts, 1):
        facts["text"] = text
        given = {name: _text(facts, name) for name in facts if facts[name] not in (None, "")}
        yield _statement(given, {}, language, number, str(place) if len(texts) > 1 else "")


def _of_harness(facts: Mapping[str, Any]) -> bool:
    return isinstance(facts.get("doc"), dict) and "resps" in facts


def _first_filter(path: Path, longest: int) -> Any:
    """The filter of the first line of lm-evaluation-harness in a file; whoever reads a part of it leaves out the same."""
    with open_lines(path, longest) as lines:
        for line in lines:
            try:
                facts = _object(line.text)
            except BadLine:
                continue
            if _of_harness(facts):
                return facts.get("filter")
    return None


def _object(line: str) -> dict[str, Any]:
    facts = json_value(line, "no JSON object on one line")
    if not isinstance(facts, dict):
        raise BadLine("no JSON object on one line")
    return facts


def _sample(facts: Mapping[str, Any], language: Properties, line_number: int) -> Statement:
    for name in FIELDS:
        if facts.get(name) in (None, ""):
            raise BadLine(f"the JSON object has no {name!r}")
    given = [
        name for name in (*FIELDS, "subgroup", "prompt", *OTHER, "other_subgroup") if facts.get(name) not in (None, "")
    ]
    lacking = [name for name in OTHER if name not in given]
    if 0 < len(lacking) < len(OTHER):
        raise BadLine(f"the JSON object has a second attribute, and no {lacking[0]!r}")
    texts = {name: _text(facts, name) for name in given}
    return _statement(texts, _given(facts), language, line_number)


def _statement(
    texts: Mapping[str, str], given: Properties, language: Properties, line_number: int, place: str = ""
) -> Statement:
    """The sample; ``texts`` has what is in ``FIELDS``, and perhaps the subgroup and the prompt."""
    term, attribute = normalise(texts["value"]), normalise(texts["attribute"])
    other = normalise(texts.get("other_attribute", "another"))
    if (
        not normalise(texts.get("other_value", "another"))
        or not texts.get("other_template", "another").strip()
        or not other
    ):
        raise BadLine("a second attribute, value or template is blank")
    if other == attribute:
        raise BadLine(f"both attributes are {attribute}")
    if not term or not attribute or not texts["template"].strip() or not texts["text"].strip():
        raise BadLine("an attribute, value, template or text is blank")
    if RESERVED in (attribute, other):
        raise BadLine(f"the attribute cannot be {RESERVED}, which in statistics means every category")
    for name in ("attribute", "value", "subgroup", "other_attribute", "other_value", "other_subgroup"):
        check_text(texts.get(name, ""), name, MAX_NAME)
    properties: dict[str, Scalar] = {name: text.strip() for name, text in texts.items() if name != "text"}
    return Statement(texts["text"], term, {**properties, **given, **language}, line_number, place=place)


def _text(facts: Mapping[str, Any], name: str) -> str:
    text = facts[name]
    if not isinstance(text, str):
        raise BadLine(f"{name!r} is not a text")
    return text


def _given(facts: Mapping[str, Any]) -> Properties:
    """The given score as a label; positive above a half, negative below."""
    score = facts.get("score")
    if score is None:
        return {}
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:  # NaN neither
        raise BadLine(f"the score is not a number from 0 to 1: {str(score)[:40]}")
    label = "positive" if score > 0.5 else "negative" if score < 0.5 else "neutral"
    return {GIVEN: label, f"{GIVEN}_score": 2.0 * score - 1.0, f"{GIVEN}_by": GIVEN}


def _rows(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The rows of LangFair's data, a list for each column."""
    columns = {name: column for name, column in data.items() if name.endswith((PROMPT, RESPONSE))}
    if not columns or not all(isinstance(column, list) for column in columns.values()):
        raise BadLine("the data has no lists such as male_prompt and male_response")
    if len({len(column) for column in columns.values()}) > 1:
        raise BadLine("the lists of the data are not equally long")
    if not any(name.endswith(RESPONSE) for name in columns):
        raise BadLine("the data has prompts, and no list of responses, such as male_response")
    for cells in zip(*columns.values(), strict=True):
        yield dict(zip(columns, cells, strict=True))


def _langfair(
    rows: Iterator[Mapping[str, Any]] | Sequence[Mapping[str, Any]],
    attribute: str,
    language: Properties,
    line_number: int,
) -> Iterator[Record]:
    """A sample for each group of each row; what is the same in the prompts of a row is its template."""
    for number, row in enumerate(rows, 1):
        groups = [name.removesuffix(RESPONSE) for name in row if name.endswith(RESPONSE)]
        missing = [f"{group}{PROMPT}" for group in groups if f"{group}{PROMPT}" not in row]
        if missing:
            raise BadLine(f"the JSON object has no {missing[0][:60]!r}")
        template = template_of([_text(row, f"{group}{PROMPT}") for group in groups])
        for group in groups:
            response = row[f"{group}{RESPONSE}"]
            if response is None or response in ("", FAILED):
                yield Skip(line_number, NO_ANSWER)
                continue
            texts = {
                "attribute": attribute,
                "value": group,
                "template": template,
                "prompt": _text(row, f"{group}{PROMPT}"),
                "text": _text(row, f"{group}{RESPONSE}"),
            }
            yield _statement(texts, {}, language, line_number, str(number))


def template_of(prompts: Sequence[str]) -> str:
    """The words that all prompts have in the same place, and ``{value}`` for the others.

    Prompts of different lengths share their first and their last words.
    """
    rows = [prompt.split() for prompt in prompts]
    if len({len(row) for row in rows}) == 1:
        words = [column[0] if len(set(column)) == 1 else PLACE for column in zip(*rows, strict=True)]
    else:
        shortest = min(map(len, rows))
        first = next((at for at in range(shortest) if len({row[at] for row in rows}) > 1), shortest)
        rest = shortest - first
        last = next((at for at in range(rest) if len({row[-1 - at] for row in rows}) > 1), rest)
        words = [*rows[0][:first], PLACE, *rows[0][len(rows[0]) - last :]]
    return " ".join(words)


IMPORTER = Generations()
