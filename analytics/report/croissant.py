"""The report as metadata of a data set: Croissant with its vocabulary for responsible AI, as JSON-LD.

Croissant 1.0 (MLCommons 2024) and Croissant RAI 1.0: http://mlcommons.org/croissant/RAI/1.0. Provenance is in PROV-O (W3C 2013),
as Croissant 1.1 recommends.
"""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harmgraph.analytics.report.content import Content, SourceSection
from harmgraph.analytics.report.told import IMPACT, biases, by_people, command, judged, limitations
from harmgraph.common.clean_text import clean
from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.hidden import without_secrets
from harmgraph.common.json_text import from_json_once
from harmgraph.common.user_file import read_text
from harmgraph.common.version import VERSION

Json = dict[str, Any]
RAI = "http://mlcommons.org/croissant/RAI/"
CROISSANT = "http://mlcommons.org/croissant/"
PREFIXES = {"rai": RAI, "prov": "http://www.w3.org/ns/prov#", "sc": "https://schema.org/"}
CONFORMS = (f"{CROISSANT}1.0", f"{RAI}1.0")
MARK = "harmgraph: "
"""Each text of ours begins so, and is found by it when the file is written again."""
ONE = ("dataSocialImpact", "annotationsPerItem", "dataAnnotationProtocol")
"""Properties that have one text."""
UNKNOWN = ("annotatorDemographics",)
"""Properties of which harmgraph knows only that it was not told. What somebody else wrote there stands alone."""
CONTEXT: Json = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": CROISSANT,
    "rai": RAI,
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "prov": PREFIXES["prov"],
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": PREFIXES["sc"],
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context of Croissant 1.0, with the prefix of PROV-O."""


def croissant(report: Content) -> str:
    """A Croissant file of the report's source: what is known of its files, and what was measured."""
    section = _the_source(report)
    facts = section.facts
    files = list(zip(facts.get("files") or (), facts.get("sha256") or (), strict=False))
    made: Json = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": section.name,
        "description": _description(section),
        "conformsTo": list(CONFORMS),
    }
    known = {"license": facts.get("licence"), "url": facts.get("url"), "version": facts.get("version")}
    made |= {name: value for name, value in known.items() if value}
    if facts.get("url"):
        made["prov:wasDerivedFrom"] = {"@id": facts["url"]}
    made["distribution"] = [
        {
            "@type": "cr:FileObject",
            "@id": name,
            "name": name,
            "contentUrl": name,
            "encodingFormat": mimetypes.guess_type(name)[0] or "text/plain",
            "sha256": digest,
        }
        for name, digest in files
    ]
    return _text(_merged(_safe(made), report))


def into(report: Content, path: Path) -> str:
    """The text of an existing Croissant file with what was measured; everything else in it stays as it is.

    Texts of an earlier report are replaced. Where a property has one text and somebody else wrote it, ours follows theirs.

    Raises:
        UnreadableFile: it cannot be read, or is not JSON.
        InputError: it is not a Croissant file.
    """
    return clean(_text(_merged(read_croissant(path), report)))


def read_croissant(path: Path) -> Json:
    """An existing Croissant file.

    Raises:
        UnreadableFile: it cannot be read, or is not JSON.
        InputError: it is not a Croissant file.
    """
    try:
        read = from_json_once(read_text(path))
    except ValueError as error:
        raise UnreadableFile(path, f"is not JSON ({str(error)[:60]})", remedy="name a Croissant file") from error
    context = read.get("@context") if isinstance(read, dict) else None
    if not isinstance(context, dict) or not _is_croissant(read):
        raise InputError(
            "is not a Croissant file: it has no @context with prefixes, or does not say that it conforms to Croissant",
            where=str(path),
            remedy="name a file with conformsTo http://mlcommons.org/croissant/1.0 or later",
        )
    for prefix, address in PREFIXES.items():
        meant = _address(context.get(prefix, address))
        if meant.rstrip("/") != address.rstrip("/"):
            raise InputError(
                f"its prefix {prefix} stands for {meant[:80]}",
                where=str(path),
                remedy=f"let it stand for {address}",
            )
    return dict(read)


def one_source(names: Sequence[str]) -> None:
    """Checks that a report is of one source.

    Raises:
        InputError: there are several.
    """
    if len(names) != 1:
        raise InputError(
            f"a Croissant file is of one source, and there are {len(names)}: {', '.join(names)}",
            remedy="name one with --source",
        )


def _the_source(report: Content) -> SourceSection:
    one_source([section.name for section in report.sources])
    return report.sources[0]


def _is_croissant(read: Mapping[str, Any]) -> bool:
    said = read.get("conformsTo", read.get("dct:conformsTo"))
    return any(_address(value).startswith(CROISSANT) for value in _list(said))


def _address(value: Any) -> str:
    return str(value.get("@id", "")) if isinstance(value, dict) else str(value)


def _list(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, list) else [value]


def _merged(data: Json, report: Content) -> Json:
    """A data set with what was measured."""
    section = _the_source(report)
    made = {**data, "@context": {**data["@context"]}}
    for prefix, address in PREFIXES.items():
        made["@context"].setdefault(prefix, address)
    conforms = "conformsTo" if "conformsTo" in made else "dct:conformsTo"
    said = _list(made[conforms])
    made[conforms] = [*said, *(one for one in CONFORMS[1:] if one not in map(_address, said))]
    for name, texts in _properties(section, report).items():
        key = _key(made, name)
        theirs, ours = made.get(key), [MARK + text for text in texts]
        if name in ONE and all(isinstance(value, str) for value in _list(theirs)):
            parts = [part for value in _list(theirs) for part in value.split("\n\n")]
            now: Any = "\n\n".join((*(part for part in parts if not part.startswith(MARK)), *ours))
        else:  # a value with a language is an object, and stays one
            kept = [value for value in _list(theirs) if not str(value).startswith(MARK)]
            now = [*kept, *(ours if name not in UNKNOWN or not kept else ())]
        if now:
            made[key] = now
        elif theirs:  # it was ours, and there is nothing to say any more
            del made[key]
    report_of = _provenance(section, report)
    key = next((key for key in ("subjectOf", "sc:subjectOf") if key in made), "subjectOf")
    others = [one for one in _list(made.get(key)) if _address(one) != report_of["@id"]]
    made[key] = [*others, report_of] if others else report_of
    return made


def _key(data: Mapping[str, Any], name: str) -> str:
    """How a file writes a property of the vocabulary."""
    written = [f"rai:{name}", f"{RAI}{name}"]
    written += [alias for alias, meant in data["@context"].items() if _address(meant) in written[:2]]
    return next((key for key in written if key in data), f"rai:{name}")


def _properties(section: SourceSection, report: Content) -> dict[str, list[str]]:
    """The texts of each property of the vocabulary."""
    numbers = report.numbers
    scorers = [(measured, by) for measured in section.measures for by in measured.scorers]
    machines = [f"{by} labels {measured.measure}" for measured, by in scorers if not by_people(by)]
    people = [f"{by} ({measured.measure}), the label with the most votes" for measured, by in scorers if by_people(by)]
    compared = [numbers.agreement(section.name, measured.measure) for measured in section.measures]
    agreed = next((one.agreement for one in compared if one and one.agreement), None)
    if agreed:
        each = (
            f"{agreed.n_labels / agreed.n_sentences:.2f} labels on each of {agreed.n_sentences:,} sentences, on average"
        )
        people.append(each)
    categories = sorted({row["category"] for measured in section.measures for row in measured.targets})
    protocol = (
        "Names of groups were masked. Then each statement about a group was labelled: negative, neutral or positive."
    )
    found: dict[str, list[str]] = {
        "dataBiases": list(biases(section, numbers)),
        "dataLimitations": list(limitations(section, numbers)),
        "dataSocialImpact": [f"{IMPACT} See rai:dataBiases."],
        "dataAnnotationProtocol": [protocol] if machines else [],
        "machineAnnotationTools": [
            *(f"{line}, by harmgraph {VERSION}" for line in machines),
            f"importer {section.facts.get('importer')} of harmgraph {VERSION}",
        ],
        "annotationsPerItem": [f"labels of harm by people: {'; '.join(people) or 0}"],
        "annotatorDemographics": ["who judged was not given to harmgraph"] if people else [],
        "dataAnnotationAnalysis": list(judged(section, numbers)),
        "personalSensitiveInformation": [f"statements name groups by {', '.join(categories)}"] if categories else [],
    }
    return {name: [_safe(text) for text in texts] for name, texts in found.items()}


def _provenance(section: SourceSection, report: Content) -> Json:
    """The report as a work about the data set, with what it used and who made it."""
    facts = section.facts
    files = zip(facts.get("files") or (), facts.get("sha256") or (), strict=False)
    scorers = sorted({by for measured in section.measures for by in measured.scorers})
    made: Json = _safe(
        {
            "@type": "sc:Report",
            "@id": "harmgraph-report",
            "sc:name": report.title,
            "prov:wasGeneratedBy": {
                "@type": "prov:Activity",
                "prov:label": command(report, "croissant"),
                "prov:endedAtTime": report.written.isoformat().replace("+00:00", "Z"),
                "prov:used": [
                    *(
                        {
                            "@type": "prov:Entity",
                            "prov:label": name,
                            "sc:sha256": digest,
                            "sc:url": facts.get("url") or "",
                        }
                        for name, digest in files
                    ),
                    *(
                        {"@type": "prov:Entity", "prov:label": f"target list {one.name}", "sc:identifier": one.digest}
                        for one in section.lists
                    ),
                ],
                "prov:wasAssociatedWith": [
                    {"@type": "prov:SoftwareAgent", "prov:label": f"harmgraph {VERSION}"},
                    {"@type": "prov:SoftwareAgent", "prov:label": f"importer {facts.get('importer')}"},
                    *(
                        {"@type": "prov:Agent" if by_people(by) else "prov:SoftwareAgent", "prov:label": f"scorer {by}"}
                        for by in scorers
                    ),
                ],
            },
        }
    )
    return made


def _description(section: SourceSection) -> str:
    facts = section.facts
    statements = (facts.get("counts") or {}).get("statements", 0)
    files = ", ".join(facts.get("files") or ()) or "no file"
    return f"{statements:,} statements that harmgraph loaded from {files} with the importer {facts.get('importer')}."


def _safe(value: Any) -> Any:
    """Values without control characters and secrets."""
    if isinstance(value, str):
        return clean(without_secrets(value))
    if isinstance(value, dict):
        return {key: _safe(item) for key, item in value.items()}
    return [_safe(item) for item in value] if isinstance(value, list) else value


def _text(data: Json) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
