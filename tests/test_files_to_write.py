"""Every option that names a file or a folder to write, found in the tree of commands: what stands there stays what it is.

An option that ``CASES`` does not know fails here, so that a new one cannot be forgotten.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click
import pytest

from harmgraph.__main__ import cli, main
from harmgraph.analytics.review.judgements import Judgement, Judgements
from harmgraph.common.command_line import Family
from harmgraph.common.files_to_write import FileToWrite, FolderToWrite
from harmgraph.graph import schema_setup
from harmgraph.graph.backup.backup_file import is_backup
from harmgraph.graph.connection import Graph
from harmgraph.graph.server import server
from tests.support import generations, occupations, population, sbic
from tests.support.filling import import_triples
from tests.support.people import people
from tests.support.places import ROOT

pytestmark = pytest.mark.long
READ = {
    "audit": {"files", "known"},
    "agree": {"sentences", "labels", "table", "frames", "votes", "targets", "dialect"},
    "counterfactual": {"files", "texts", "templates", "pair file", "words file", "similarity file"},
    "db": {"restore file"},
    "embed": {"negatives", "valid_negatives", "folder", "entities", "entity_keys", "relations", "relation_keys"},
    "figure": {"human_sentences", "human_labels", "human_csv"},
    "findings": {"chosen", "files", "known file"},
    "frames": {"files", "vectors"},
    "job": {"file", "files", "paths"},
    "label": {"sentences", "labels", "csv", "positive", "negative", "rubric", "dimensions dictionary"},
    "language": {"files", "held_out_files", "prompts"},
    "load": {"files", "exclude", "names"},
    "population": {"file", "data", "evaluations", "choose_on"},
    "probe": {"file"},
    "prompts": {"targets_file", "templates_file"},
    "report": {"human_sentences", "human_labels", "human_csv"},
    "scorer": {"data", "tests", "people", "silver", "targets"},
    "stats": {"corrected", "corrected_sentences", "corrected_labels"},
    "target": {"file"},
}
"""Parameters that name what is read, by the first word of the command; ``db backup FILE`` is written."""
QUICK = ("--permutations", "2", "--resamples", "2", "--no-progress")
SOURCE = ("--source", "kb")
_TIME = re.compile(rb' time="[^"]*"')
TRAINED = ("--no-progress", "--threads", "1")

World = Callable[[str], Path]
"""Makes what a command needs where it does not stand yet, and returns the folder of it all."""


def said(*words: str) -> None:
    assert main(list(words)) == 0, words


@pytest.fixture(scope="module")
def world(connection: Graph, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A labelled knowledge base, and whatever else is asked for."""
    place, made = tmp_path_factory.mktemp("world"), set()
    connection.autocommit("schema/wipe")
    schema_setup.apply(connection)

    def make(what: str) -> Path:
        if what and what not in made:
            MAKERS[what](place)
            made.add(what)
        return place

    make("kb")
    yield make
    for folder in ("models", "language", "populators", "frames"):
        for entry in (Path(os.environ["HARMGRAPH_HOME"]) / folder).glob("written*"):
            shutil.rmtree(entry)


def _kb(place: Path) -> None:
    (place / "torn.tsv").write_text("lawyer\tIsA\n")
    (place / "people.csv").write_text("sentence,label,annotator\nThey are awful.,3,a\nThey are kind.,1,a\n")
    for importer, file, source in (("conceptnet", "conceptnet.csv", "kb"), ("genericskb", "genericskb.tsv", "text")):
        said("load", importer, str(ROOT / "loader" / "sample" / file), "--source", source, "--no-progress")
    said("label", "vader", "--no-progress")


def _job(place: Path) -> None:
    (place / "night.toml").write_text('source = "kb"\n[[step]]\nrun = "stats disparity --resamples 5"\n')
    said("job", "run", str(place / "night.toml"))


def _known(place: Path) -> None:
    (place / "known.csv").write_text("finding,label\n")


def _samples(place: Path) -> None:
    from harmgraph.analytics.counterfactual.specification import CounterfactualPrompt

    asked = [
        CounterfactualPrompt("animal", value, value, template, "")
        for value in ("owl", "cat")
        for template in ("{value} is", "A")
    ]
    file = generations.write_lines(place / "samples.jsonl", generations.continued(asked, 12))
    said("load", "generations", str(file), "--source", "samples", "--no-progress")
    said("label", "vader", "--source", "samples", "--no-progress")


def _frames(place: Path) -> None:
    said("load", "sbic", str(sbic.written(place)), "--source", "frames", "--no-progress")


def _events(_: Path) -> None:
    with Graph.open() as graph:
        rows = (
            population.event_triple(f"personx do {n}", ("xWant", "xEffect")[n % 2], f"personx see {n}")
            for n in range(200)
        )
        import_triples(graph, *rows, source="events")


def _folk(_: Path) -> None:
    pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")
    with Graph.open() as graph:
        import_triples(graph, *people(), source="folk")
    small = ("--dim", "8", "--negatives", "8", "--epochs", "2", "--batch", "16", "--valid-every", "0")
    said("embed", "train", "written-folk", "--source", "folk", *small, *TRAINED)


def _speaker(place: Path) -> None:
    pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")
    from tests.support import tiny_model

    corpus, values, templates = occupations.write(place)
    tiny_model.save(place / "encoder", classifier=False)
    (place / "prompts.jsonl").write_text('{"prompt": "the nurse"}\n{"prompt": "the cook"}\n')
    small = ("--model", "new:tiny", "--epochs", "2", "--batch", "8", "--context", "32", "--vocabulary", "400")
    said("language", "train", "written", "--corpus", str(corpus), *small, *TRAINED)
    words = ("--values", str(values), "--templates", str(templates), "--out", str(place / "said.jsonl"))
    said("counterfactual", "generate", "--model", "written", *words, "--samples", "6", "--length", "8", *TRAINED)


def _populator(place: Path) -> None:
    pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")
    from tests.support import tiny_model

    encoder = tiny_model.save(place / "populator", classifier=False)
    data = population.write_folder(place / "triples")
    words = ("--model", "bert", "--encoder", str(encoder), "--data", str(data), "--epochs", "1")
    said("population", "train", "written", *words, *TRAINED)


def _framer(place: Path) -> None:
    pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")
    posts = sbic.written(place, sbic.table([*sbic.ROWS, *sbic.learnable(6)]), "learnt.csv")
    small = ("--model", "new:tiny", "--epochs", "1", "--context", "96", "--vocabulary", "300")
    said("frames", "train", "written", "--file", str(posts), *small, *TRAINED)


MAKERS: dict[str, Callable[[Path], None]] = {
    "kb": _kb,
    "job": _job,
    "known": _known,
    "samples": _samples,
    "frames": _frames,
    "framer": _framer,
    "events": _events,
    "folk": _folk,
    "speaker": _speaker,
    "populator": _populator,
}
PROBE = ("probe", "shift", "written-folk", "--a", "Male", "--b", "Female", "--min-count", "0", *TRAINED)
SPEAK = ("--samples", "2", "--length", "5", *TRAINED)
CASES: dict[tuple[str, str], tuple[str, Sequence[str]]] = {
    ("agree", "figure"): (
        "kb",
        ["agree", "--csv", "{world}/people.csv", "--resamples", "5", "--no-progress", "--figure"],
    ),
    ("audit", "sarif"): (
        "",
        ["audit", f"{ROOT}/loader/sample/conceptnet.csv", "--importer", "conceptnet", "--sarif"],
    ),
    ("counterfactual compare", "figure"): (
        "speaker",
        ["counterfactual", "compare", "{world}/said.jsonl", "--no-quality", "--min-samples", "1", *QUICK, "--figure"],
    ),
    ("counterfactual compare", "trade_off"): (
        "speaker",
        [
            *("counterfactual", "compare", "{world}/said.jsonl", "--encoder", "{world}/encoder", "--min-samples", "1"),
            *(*QUICK, "--trade-off"),
        ],
    ),
    ("counterfactual generate", "out"): (
        "speaker",
        [
            *("counterfactual", "generate", "--model", "written", "--values", "{world}/values.csv"),
            *("--templates", "{world}/templates.csv", *SPEAK, "--out"),
        ],
    ),
    ("counterfactual pair", "figure"): (
        "speaker",
        [
            *("counterfactual", "pair", "{world}/said.jsonl", "--a", "nurse", "--b", "cook", "--min-samples", "1"),
            *("--template", "the {value} near", *QUICK, "--figure"),
        ],
    ),
    ("counterfactual prompts", "out"): ("", ["counterfactual", "prompts", "--attribute", "name", "--out"]),
    ("db backup", "file"): ("", ["db", "backup", "--no-progress"]),
    ("db open", "folder"): ("kb", ["db", "open", "--export"]),
    ("demo", "out"): ("kb", ["demo", "--no-progress", "--out"]),
    ("figure", "out"): ("kb", ["figure", "words", *SOURCE, "--resamples", "5", "--out"]),
    ("filter", "out"): ("kb", ["filter", *SOURCE, "--no-progress", "--out"]),
    ("findings export", "out"): (
        "kb",
        ["findings", "export", *SOURCE, "--file", f"{ROOT}/loader/sample/conceptnet.csv", "--no-progress", "--out"],
    ),
    ("findings known", "sarif"): (
        "known",
        ["findings", "known", "{world}/known.csv", *SOURCE, "--no-progress", "--sarif"],
    ),
    ("findings list", "sarif"): ("kb", ["findings", "list", *SOURCE, "--no-progress", "--sarif"]),
    ("job run", "junit"): ("job", ["job", "run", "{world}/night.toml", "--junit"]),
    ("job run", "sarif"): ("job", ["job", "run", "{world}/night.toml", "--sarif"]),
    ("job new", "out"): ("job", ["job", "new", "--from-last", "--out"]),
    ("frames eval", "predictions"): (
        "framer",
        ["frames", "eval", "written", "--no-ngrams", "--draws", "0", *TRAINED, "--predictions"],
    ),
    ("language generate", "out"): (
        "speaker",
        ["language", "generate", "written", "--prompts", "{world}/prompts.jsonl", *SPEAK, "--out"],
    ),
    ("load", "rejects"): (
        "kb",
        ["load", "triples", "{world}/torn.tsv", "--dry-run", "--max-rejects", "1", "--no-progress", "--rejects"],
    ),
    ("population data", "out"): (
        "events",
        ["population", "data", "--source", "events", "--seed", "1", "--no-progress", "--out"],
    ),
    ("population eval", "scores"): (
        "populator",
        ["population", "eval", "written", "--no-linear", "--draws", "2", "--no-progress", "--scores"],
    ),
    ("probe", "figure"): ("folk", [*PROBE, "--control", "3", "--figure"]),
    ("probe", "summary_file"): ("folk", [*PROBE, "--summary"]),
    ("prompts", "out"): ("", ["prompts", "--out"]),
    ("report", "out"): ("kb", ["report", *SOURCE, "--resamples", "5", "--no-progress", "--out"]),
    ("report", "into"): ("kb", ["report", *SOURCE, "--format", "croissant", "--no-progress", "--into"]),
    ("review", "path"): ("kb", ["review", "--no-launch", "--no-progress", "--port", "0", "--into"]),
    ("source export", "out"): ("kb", ["source", "export", "kb", "--no-progress", "--out"]),
    ("stats counterfactual", "figure"): (
        "samples",
        ["stats", "counterfactual", "--source", "samples", "--min-samples", "1", *QUICK, "--figure"],
    ),
    ("stats frame_domains", "figure"): ("frames", ["stats", "frame_domains", "--source", "frames", "--figure"]),
    ("stats side_by_side", "figure"): (
        "kb",
        ["stats", "side_by_side", *SOURCE, "--source", "text", "--min-support", "1", "--figure"],
    ),
}
"""What makes the graph ready, and the command, which the name of the file follows; by the command and its parameter."""


def parameters() -> Iterator[tuple[str, click.Parameter]]:
    """All parameters of all commands; of a family, whose members share their options, by the name of the family."""

    def below(
        command: click.Command, context: click.Context, path: tuple[str, ...]
    ) -> Iterator[tuple[str, click.Parameter]]:
        for parameter in command.params:
            yield " ".join(path), parameter
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                child = command.get_command(context, name)
                assert child is not None
                of_load = path == ("load",) or (isinstance(command, Family) and path == ("probe",))
                yield from below(child, context, path if of_load else (*path, name))

    yield from below(cli, click.Context(cli), ())


WRITTEN = {
    (command, str(parameter.name)): parameter.type
    for command, parameter in parameters()
    if isinstance(parameter.type, FileToWrite | FolderToWrite)
}
FILES = sorted(key for key, kind in WRITTEN.items() if isinstance(kind, FileToWrite) and not kind.stays)
FOLDERS = sorted(key for key, kind in WRITTEN.items() if isinstance(kind, FolderToWrite))


def named(key: tuple[str, str]) -> str:
    return ".".join(key)


def test_each_parameter_that_names_a_file_is_known_as_read_or_written() -> None:
    for command, parameter in parameters():
        metavar = getattr(parameter, "metavar", None) or ""
        if (
            isinstance(parameter.type, click.Path)
            or metavar in ("FILE", "FOLDER")
            or parameter.name in ("out", "figure")
        ):
            first, _, rest = command.partition(" ")
            is_read = {str(parameter.name), f"{rest} {parameter.name}"} & READ.get(first, set())
            assert bool(is_read) != ((command, parameter.name) in WRITTEN), (
                f"{command} {parameter.name}: give it FileToWrite or FolderToWrite and a case in CASES, or add it to READ"
            )


def test_each_of_them_has_a_case() -> None:
    assert sorted(CASES) == sorted(WRITTEN)


def test_the_members_of_a_family_share_their_options() -> None:
    """So that one case stands for all of them."""
    types: dict[tuple[str, str], set[type]] = {}
    for command, parameter in parameters():
        if command in ("load", "probe"):
            types.setdefault((command, str(parameter.name)), set()).add(type(parameter.type))
    assert types["load", "rejects"] == types["probe", "figure"] == types["probe", "summary_file"] == {FileToWrite}


def words_of(key: tuple[str, str], world: World, place: object) -> list[str]:
    needs, words = CASES[key]
    folder = world(needs)
    return [word.replace("{world}", str(folder)) for word in words] + [str(place)]


@pytest.fixture
def own_home(connection: Graph, tmp_path: Path) -> Iterator[None]:
    """A backup stops the server: not that of the other tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
        patch.setenv("HARMGRAPH_HEAP", "300m")
        patch.setenv("HARMGRAPH_PAGECACHE", "32m")
        yield
        server.stop()


@pytest.mark.parametrize("key", FILES, ids=named)
def test_a_file(
    key: tuple[str, str],
    world: World,
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    request: pytest.FixtureRequest,
) -> None:
    """Through a link, through a FIFO and to stdout comes the same, and nothing else; folder and socket are one line."""
    words = words_of(key, world, "")[:-1]
    if key == ("db backup", "file"):
        request.getfixturevalue("own_home")
    ending = ".svg" if key[1] in ("figure", "trade_off") or key[0] == "figure" else ".out"
    real, link, fifo = tmp_path / "far" / "real", tmp_path / f"link{ending}", tmp_path / f"fifo{ending}"
    real.parent.mkdir()
    link.symlink_to(real)
    said(*words, str(link))
    assert link.is_symlink()
    content = real.read_bytes()
    assert content
    assert [path.name for path in real.parent.iterdir()] == ["real"]

    os.mkfifo(fifo)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()), daemon=True)
    reader.start()
    said(*words, str(fifo))
    reader.join(60)
    assert fifo.is_fifo()

    capfdbinary.readouterr()
    said(*words, "-")
    printed = capfdbinary.readouterr().out
    if key == ("db backup", "file"):  # the time of each stands in it
        for copy in (content, *read, printed):
            (tmp_path / "copy").write_bytes(copy)
            assert is_backup(tmp_path / "copy")
    else:
        if key == ("job run", "junit"):
            content, printed, *read = (_TIME.sub(b"", text) for text in (content, printed, *read))
        assert read == [content]
        assert printed == content
    assert not (ROOT / "-").exists() and not Path("-").exists()
    refused(words, tmp_path, capfdbinary)


def refused(words: Sequence[str], folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Where no file can stand, it is said before anything is computed."""
    inside = folder / "folder.svg"
    inside.mkdir()
    with socket.socket(socket.AF_UNIX) as listening, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)  # the name of a socket must be short
        listening.bind("socket.svg")
        for name in ("folder.svg", "socket.svg"):
            assert main([*words, name]) == 2
            assert name in capfdbinary.readouterr().err.decode().splitlines()[-1]
    assert [*inside.iterdir()] == []


def stamp(path: Path) -> tuple[int, int]:
    """What changes when a file is written again: its number and its time, which is never the same twice."""
    stat = path.stat()
    return stat.st_ino, stat.st_mtime_ns


@pytest.mark.parametrize("key", FOLDERS, ids=named)
def test_a_folder(
    key: tuple[str, str], world: World, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A link to it stays, and so does a link in it; a device, a file and stdout are not folders."""
    real, link, far = tmp_path / "real", tmp_path / "link", tmp_path / "far"
    real.mkdir()
    link.symlink_to(real)
    said(*words_of(key, world, link))
    assert link.is_symlink()
    names = sorted(path.name for path in real.iterdir() if path.is_file())
    assert names

    if key[0] not in ("population data", "demo"):  # the first writes its folder as a whole, the other as report does
        far.write_text("old")
        (real / names[0]).unlink()
        (real / names[0]).symlink_to(far)
        said(*words_of(key, world, link))
        assert (real / names[0]).is_symlink()
        assert far.read_bytes() not in (b"old", b"")
        (real / names[0]).unlink()
        (real / names[0]).mkdir()
        before = {name: stamp(real / name) for name in names[1:]}
        capfdbinary.readouterr()
        assert main(words_of(key, world, link)) == 1
        line = capfdbinary.readouterr().err.decode().splitlines()[-1]
        assert line.startswith(f"harmgraph: {link / names[0]}: is a folder; "), line
        if key[0] == "source export":
            assert before == {name: stamp(real / name) for name in names[1:]}, "nothing is written"
    for place in (os.devnull, far if far.exists() else tmp_path / "file", *(["-"] if key[0] != "report" else [])):
        if place not in (os.devnull, "-"):
            Path(place).touch()
        assert main(words_of(key, world, place)) == 2
        assert str(place) in capfdbinary.readouterr().err.decode().splitlines()[-1]


def test_a_report_is_printed_to_stdout_by_either_name(world: World, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    words = [*words_of(("report", "out"), world, "")[:-1], "--format", "md", "--out"]
    words.remove("--out")
    for place in ("-", "/dev/stdout"):
        capfdbinary.readouterr()
        said(*words, place)
        assert capfdbinary.readouterr().out.startswith(b"# Harms in kb")


def test_judgements_follow_a_link_and_are_no_device(
    world: World, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """They are appended, and read again."""
    (tmp_path / "link.csv").symlink_to(tmp_path / "far.csv")
    judgements = Judgements(tmp_path / "link.csv")
    for sentence in ("one", "two"):
        judgements.add(Judgement(sentence, "neutral", "ann"))
    judgements.take_back("ann")
    assert (tmp_path / "link.csv").is_symlink()
    assert [judgement.sentence for judgement in Judgements(tmp_path / "far.csv")] == ["one"]
    os.mkfifo(tmp_path / "fifo")
    for place in (tmp_path / "fifo", os.devnull, "-", "/dev/stdout"):
        assert main(words_of(("review", "path"), world, place)) == 2
        assert "is read again, so it must be a file" in capfdbinary.readouterr().err.decode()
