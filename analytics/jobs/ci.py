"""A run of a job for continuous integration: JUnit, SARIF, annotations and the summary of a step.

The findings are those of the job's own steps ``findings list`` and ``findings known``. Each writes its SARIF when asked, and what
all of them found goes into one file, with the thresholds that are exceeded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from harmgraph.analytics.jobs.check import StepCommand
from harmgraph.analytics.jobs.file import Job
from harmgraph.analytics.jobs.run import EXCEEDED, Finished
from harmgraph.analytics.jobs.threshold import Verdict
from harmgraph.common.ci.code_results import CodePlace, CodeResult, CodeRule, repository_path
from harmgraph.common.ci.sarif import read_sarif
from harmgraph.common.clean_text import clean, one_line
from harmgraph.common.digests import text_digest
from harmgraph.common.hidden import without_secrets
from harmgraph.common.markdown_text import markdown_cell
from harmgraph.common.whole_file import is_stream

LISTING = (("findings", "list"), ("findings", "known"))
KEPT = ("kept", "nothing before", "other lists")
"""Outcomes of a threshold that fail nothing."""


class StepFindings:
    """What the steps that list findings wrote.

    Args:
        job: the job, in whose folder its steps run.
        folder: a folder for their files, which nobody else uses.

    Attributes:
        arguments: what these steps get besides their own arguments, by the name of the step.
    """

    def __init__(self, job: Job, commands: Sequence[StepCommand], folder: Path) -> None:
        self._before: dict[Path, tuple[int, ...]] = {}
        self.arguments: Mapping[str, Sequence[str]] = dict(self._given(job, commands, folder))

    def _given(self, job: Job, commands: Sequence[StepCommand], folder: Path) -> Iterator[tuple[str, Sequence[str]]]:
        for number, command in enumerate(commands):
            if command.words[:2] not in LISTING:
                continue
            own = command.values.get("sarif")
            file = job.folder / own if own else folder / f"{number}.sarif"
            if not is_stream(file):
                self._before[file] = _state(file)
            given = [] if own else [f"--sarif={file}"]
            if not command.values.get("files"):
                loaded = _loaded(str(command.values.get("source")), commands[:number])
                # The folder or the name of a data set has no lines to point at.
                given += [f"--file={path}" for path in loaded if (job.folder / path).is_file()]
            yield command.step.name, given

    def results(self) -> list[CodeResult]:
        """The results of the steps that ran. A file of the job's own that no step has written again is of another run."""
        written = [file for file, before in self._before.items() if _state(file) not in ((), before)]
        return [result for file in written for result in read_sarif(file)]


def _state(file: Path) -> tuple[int, ...]:
    """What changes when a file is written; empty if there is none."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return ()
    return found.st_ino, found.st_mtime_ns, found.st_size


def _loaded(source: str, commands: Sequence[StepCommand]) -> list[Path]:
    """The files that an earlier step loaded under the name of a source."""
    files: list[Path] = []
    for command in commands:
        paths = [Path(path) for path in command.values.get("files") or ()]
        if command.words[0] != "load" or not paths:
            continue
        named = command.values.get("source")
        # Without a name the source is called as its importer, or as its first file without the endings.
        unnamed = source == command.words[1] or f"{paths[0].name}.".startswith(f"{source}.")
        if named == source or (named is None and unnamed):
            files = paths
    return files


def threshold_results(job: Job, finished: Finished) -> list[CodeResult]:
    """The exceeded thresholds, at their lines of the job's file."""
    exceeded = [verdict for verdict in finished.verdicts if verdict.outcome == "exceeded"]
    return [_threshold_result(job, verdict) for verdict in exceeded]


def _threshold_result(job: Job, verdict: Verdict) -> CodeResult:
    limit = verdict.threshold
    line = job.place.lines.of("fail_if", limit.position)
    return CodeResult(
        rule=CodeRule(
            id=f"threshold/{limit.metric}",
            title="A threshold is exceeded",
            text=f"A number {limit.metric} of this run is beyond the limit that the job's file sets in fail_if.",
        ),
        id=text_digest(f"{job.name}\n{limit.text}", 8),
        message=one_line(f"threshold exceeded: {verdict.line}"),
        level="error",
        places=(CodePlace(file=repository_path(job.path), line=line or 1),),
        properties={"job": job.name, "threshold": limit.text},
    )


def summary_lines(finished: Finished) -> Iterator[str]:
    """How the run ended and its thresholds, as Markdown."""
    yield f"{markdown_cell(finished.state)} in {finished.seconds:,.1f} s, run {finished.run[:8]}"
    yield ""
    for reason in finished.reasons:
        yield f"- {markdown_cell(without_secrets(reason))}"
    if finished.reasons:
        yield ""
    if finished.verdicts:
        yield "| threshold | outcome | numbers |"
        yield "|---|---|---:|"
        for verdict in finished.verdicts:
            cells = (verdict.threshold.text, verdict.outcome, f"{verdict.numbers:,}")
            yield f"| {' | '.join(map(markdown_cell, cells))} |"
        yield ""


def junit(job: Job, commands: Sequence[StepCommand], finished: Finished) -> bytes:
    """A run as JUnit's XML: a test for each step and for each threshold.

    An exceeded threshold and a step that ends with exit code 3 are failures. A step that fails otherwise and a threshold that
    cannot be judged are errors. What was not run, or has nothing to be compared with, is skipped.
    """
    root = ElementTree.Element("testsuites", name="harmgraph")
    suite = ElementTree.SubElement(root, "testsuite", name=_text(job.name))
    ran = {step.name: step for step in finished.steps}
    for command in commands:
        step = ran.get(command.step.name)
        case = _case(suite, f"{job.name}.steps", command.step.name, step.seconds if step else 0)
        ElementTree.SubElement(case, "system-out").text = _text(command.line)
        if step is None:
            _add(case, "skipped", "not run")
        elif step.code:
            _add(case, "failure" if step.code == EXCEEDED else "error", step.why)
    judged = {verdict.threshold.position: verdict for verdict in finished.verdicts}
    for limit in job.fail_if:
        verdict = judged.get(limit.position)
        case = _case(suite, f"{job.name}.thresholds", limit.text, 0)
        if verdict is None:
            _add(case, "skipped", "not judged, as a step failed")
        elif verdict.outcome == "exceeded":
            _add(case, "failure", verdict.line)
        elif verdict.outcome not in KEPT:
            _add(case, "error", verdict.line)
        elif verdict.outcome != "kept":
            _add(case, "skipped", verdict.line)
    cases = suite.findall("testcase")
    counts: dict[str, Any] = {
        "tests": len(cases),
        **{
            plural: sum(case.find(kind) is not None for case in cases)
            for plural, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
        },
        "time": f"{finished.seconds:.1f}",
    }
    for element in (root, suite):
        element.attrib.update({name: str(value) for name, value in counts.items()})
    ElementTree.indent(root)
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _case(suite: ElementTree.Element, group: str, name: str, seconds: float) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", classname=_text(group), name=_text(name), time=f"{seconds:.1f}")


def _add(case: ElementTree.Element, kind: str, why: str) -> None:
    element = ElementTree.Element(kind, message=_text(why))
    case.insert(0, element)  # before what was printed, as readers expect it


def _text(text: str) -> str:
    return clean(without_secrets(one_line(text)))
