"""Samples in the logs of evaluations: of Inspect (``.eval`` and ``.json``) and of lm-evaluation-harness (``samples_*.jsonl``).

The forms were read in ``UKGovernmentBEIS/inspect_ai`` (``log/_log.py``, ``log/_recorders/eval.py``, the logs of its tests) and in
``EleutherAI/lm-evaluation-harness`` (``loggers/evaluation_tracker.py``, ``evaluator.py``).
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harmgraph.common.errors import MissingExtra, UnreadableFile
from harmgraph.loader.formats.importer import BadLine
from harmgraph.loader.formats.json_value import json_value
from harmgraph.loader.formats.lines import Lines

ZIP = b"PK\x03\x04"
SAMPLE = re.compile(r"samples/[^/\\]+\.json")  # the only members of an archive that are read
MOST_SAMPLES = 1_000_000
MOST_BYTES = 64_000_000  # of a sample, and of a log in JSON, unpacked
STORED, DEFLATED, ZSTANDARD = 0, 8, 93
ATTACHED = "attachment://"
CONVERT = "convert it: inspect log convert --to json"
NO_ANSWER = "the model gave no response"
_LOCAL = 30  # bytes of a local header before its names


def inspect_samples(lines: Lines) -> Iterator[tuple[int, Mapping[str, Any] | BadLine]] | None:
    """The samples of a log of Inspect with their numbers, from 1, or why one cannot be read; None if the file is no such log.

    Raises:
        UnreadableFile: the archive is damaged, or larger than any is; also while it is read.
    """
    if lines.start.startswith(ZIP):
        return _of_archive(lines)
    first = lines.first()
    if first is None or first.number > 1 or first.problem or first.text.strip() != "{":
        return None
    return _of_json(lines)


def _of_json(lines: Lines) -> Iterator[tuple[int, Mapping[str, Any] | BadLine]]:
    taken: list[str] = []
    size = 0
    for line in lines:
        size += len(line.text)
        if line.problem or size > MOST_BYTES:
            why = line.problem or f"has more than {MOST_BYTES:,} letters"
            raise UnreadableFile(lines.path, why, line=line.number, remedy="load the log as .eval")
        taken.append(line.text)
    try:
        log = json_value("\n".join(taken), "no JSON")
    except BadLine as error:
        raise UnreadableFile(lines.path, error.reason, remedy="write one JSON object a line") from error
    samples = log.get("samples") if "eval" in log else None
    if not isinstance(samples, list):
        raise UnreadableFile(lines.path, "is no log of Inspect with samples", remedy="write one JSON object a line")
    for number, sample in enumerate(samples, 1):
        yield number, sample if isinstance(sample, dict) else BadLine("the sample is no JSON object")


def _of_archive(lines: Lines) -> Iterator[tuple[int, Mapping[str, Any] | BadLine]]:
    try:
        with zipfile.ZipFile(lines.path) as archive:
            members = [each for each in archive.infolist() if SAMPLE.fullmatch(each.filename)]
            if not members or len(members) > MOST_SAMPLES:
                why = f"has {len(members):,} samples, more than are read" if members else "has no samples/*.json"
                raise UnreadableFile(lines.path, f"is a zip archive that {why}", remedy="give a log of Inspect")
            for number, member in enumerate(members, 1):
                lines.note_progress(number, len(members))
                try:
                    sample = json_value(_content(lines, archive, member), "no JSON")
                except BadLine as bad:
                    yield number, bad
                else:
                    yield number, sample if isinstance(sample, dict) else BadLine("the sample is no JSON object")
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, zlib.error) as error:
        raise UnreadableFile(
            lines.path, f"is no whole log of Inspect ({str(error)[:100]})", remedy="fetch it again"
        ) from error


def _content(lines: Lines, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """The bytes of a sample, never more than ``MOST_BYTES`` whatever its header says.

    Raises:
        BadLine: it has more.
        UnreadableFile: it is compressed as nothing here reads, or encrypted.
    """
    if member.compress_type not in (STORED, DEFLATED, ZSTANDARD) or member.flag_bits & 1:
        raise UnreadableFile(lines.path, "is compressed or encrypted as no log of Inspect is", remedy=CONVERT)
    if member.compress_type == ZSTANDARD:
        content = _zstandard(lines, member)
    else:
        with archive.open(member) as file:
            content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise BadLine(f"the sample has more than {MOST_BYTES:,} bytes")
    return content


def _zstandard(lines: Lines, member: zipfile.ZipInfo) -> bytes:
    """As newer logs are compressed; Python reads that from 3.14 on, and pyarrow does."""
    try:
        import pyarrow as arrow
    except ImportError as error:
        raise MissingExtra("pyarrow", "arrow", remedy=f"{CONVERT}; or install it: harmgraph[arrow]") from error
    with lines.path.open("rb") as raw:
        raw.seek(member.header_offset)
        header = raw.read(_LOCAL)
        raw.seek(int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little"), 1)
        packed = raw.read(min(member.compress_size, MOST_BYTES))
    try:
        with arrow.CompressedInputStream(arrow.BufferReader(packed), "zstd") as stream:
            content: bytes = stream.read(MOST_BYTES + 1)
    except arrow.ArrowException as error:
        raise BadLine(f"the sample is damaged ({str(error)[:60]})") from error
    return content


def answers(sample: Mapping[str, Any]) -> list[str]:
    """The texts that a model answered in a sample of Inspect, one for each choice; without its reasoning."""
    output = sample.get("output")
    choices = output.get("choices") if isinstance(output, dict) else None
    messages = (
        [each.get("message") for each in choices or () if isinstance(each, dict)] if isinstance(choices, list) else []
    )
    texts = [_text(sample, message.get("content")) for message in messages if isinstance(message, dict)]
    return [text for text in texts if text.strip()]


def asked(sample: Mapping[str, Any]) -> str:
    """The prompt of a sample of Inspect: its input, or the user's last message."""
    given = sample.get("input")
    if not isinstance(given, list):
        return _text(sample, given)
    said = [each for each in given if isinstance(each, dict) and each.get("role") == "user"]
    return _text(sample, said[-1].get("content")) if said else ""


def _text(sample: Mapping[str, Any], content: Any) -> str:
    """A content as text; a long one may be among the attachments of the sample."""
    if isinstance(content, list):
        parts = [each for each in content if isinstance(each, dict) and each.get("type") == "text"]
        return "\n".join(_text(sample, each.get("text")) for each in parts)
    text = content if isinstance(content, str) else ""
    attached = sample.get("attachments")
    if text.startswith(ATTACHED) and isinstance(attached, dict):
        found = attached.get(text.removeprefix(ATTACHED))
        return found if isinstance(found, str) else text
    return text


def harness_answers(line: Mapping[str, Any]) -> list[str]:
    """The texts that a model answered in a line of lm-evaluation-harness: several where a request was repeated.

    Raises:
        BadLine: its answers are no texts, as those of multiple choice.
    """
    given: Any = line["resps"]
    answered: Sequence[Any] = (
        [text for each in given for text in (each if isinstance(each, list) else [each])]
        if isinstance(given, list)
        else [None]
    )
    if not all(isinstance(text, str) for text in answered):
        raise BadLine("the answers are no texts: only tasks that generate have some")
    return [text for text in answered if text.strip()]


def harness_prompt(line: Mapping[str, Any]) -> str:
    """What was asked in a line of lm-evaluation-harness: the first argument of its first request; empty if there is none."""
    arguments = line.get("arguments")
    first = arguments.get("gen_args_0") if isinstance(arguments, dict) else None
    prompt = first.get("arg_0") if isinstance(first, dict) else None
    return prompt if isinstance(prompt, str) else ""
