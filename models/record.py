"""Records in the JSON files of trained models: read by the types of their fields, and written whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass
from importlib.metadata import version
from pathlib import Path
from types import UnionType
from typing import Any, Generic, Protocol, TypeVar, get_args, get_origin, get_type_hints

from harmgraph.common.errors import BadName, InputError, UnknownMember, UnreadableFile
from harmgraph.common.json_text import from_json
from harmgraph.common.private import make_folder
from harmgraph.common.whole_file import beside
from harmgraph.models.folders import Folders, clear

FORM = 1
"""Of the files that this version writes."""
CONFIG = "config.json"
AGAIN = "train it again with --again"
UNFINISHED, FINISHED = "training", "finished"


class Learnt(Protocol):
    """What every record of a trained model says.

    Attributes:
        state: ``training`` or ``finished``.
        identity: digest of everything that determines the result of the training, but for the precision.
        precision: of the training.
    """

    @property
    def state(self) -> str: ...
    @property
    def identity(self) -> object: ...
    @property
    def precision(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the records of models on top of an encoder or a language model say of their training.

    Attributes:
        precision, threads: of the training.
        form: of the file.
        versions: of the packages it was trained with.
        stopped: why it ended, ``epochs`` or ``patience``. epochs: how many. best_epoch: counted from 1.
        trained_at: when.
    """

    precision: str = "fp32"
    threads: int = 0
    form: int = FORM
    versions: Mapping[str, str] = field(default_factory=dict)
    stopped: str = ""
    epochs: int = 0
    best_epoch: int = 0
    trained_at: str = ""


Record = TypeVar("Record")
Known = TypeVar("Known", bound=Learnt)


@dataclass(frozen=True, slots=True)
class Trained(Generic[Known]):
    """A model after a training.

    Attributes:
        config: what is known of it.
        fresh_epochs: how many epochs the call trained.
        anew: whether the call did anything; False if it was finished before.
    """

    config: Known
    folder: Path
    fresh_epochs: int
    anew: bool = True


@dataclass(frozen=True, slots=True)
class Records(Generic[Known]):
    """What is known of the models of a kind: ``config.json`` in the folder of each, with ``history.json`` beside it.

    Attributes:
        folders: of the models. kind: the dataclass of the record. command: that trains them.
        unknown: what there is none of, in a message; ``trained`` and what the folders are of if it is empty.
        facts: the content of the file. damaged, other: the errors of a file that cannot be used, and of another training.
    """

    folders: Folders
    kind: type[Known]
    command: str
    unknown: str = ""
    facts: Callable[[Known], Mapping[str, Any]] = asdict  # type: ignore[assignment]  # kind is a dataclass
    damaged: Callable[[Path, Exception], UnreadableFile] = lambda path, error: unreadable(path, error)
    other: Callable[[Path], InputError] = lambda place: other_training(place)

    def read(self, name: str) -> Known:
        """What is known of a model.

        Raises:
            UnknownMember: there is none of that name; the message lists similar names.
            UnreadableFile: its file is damaged, or lacks what this version needs.
        """
        path = self.folders.of(name) / self.folders.file
        if not path.is_file():
            raise UnknownMember(self.unknown or f"trained {self.folders.what}", name, self.folders.names())
        try:
            return record(self.kind, from_json(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, BadName) as error:
            raise self.damaged(path, error) from error

    def finished(self, name: str) -> Known:
        """``read`` of a model whose training is finished.

        Raises:
            as ``read``, and InputError: its training is not finished.
        """
        known = self.read(name)
        self.check_finished(name, known)
        return known

    def check_finished(self, name: str, known: Known) -> None:
        """Checks that the training of a model is finished.

        Raises:
            InputError: it is not.
        """
        if known.state != FINISHED:
            raise InputError("its training is not finished", where=name, remedy=f"run the same '{self.command}' again")

    def standing(self, name: str, identity: object, *, again: bool, precision: str = "auto") -> Known | None:
        """What stands of a training in the folder of a name, which the caller has locked; None where nothing does.

        Args:
            again: whether to remove it first.
            precision: that is asked for; see ``same_precision``. An interrupted training looks at that of its checkpoint.

        Raises:
            UnreadableFile: its file is damaged, or lacks what this version needs.
            InputError: it is a training on other data, with other options or in another precision.
        """
        known = self.found(name, again=again)
        if known and known.identity != identity:
            raise self.other(self.folders.of(name))
        if known and known.state == FINISHED:
            same_precision(precision, known.precision, self.folders.of(name))
        return known

    def found(self, name: str, *, again: bool) -> Known | None:
        """What is in the folder of a name, which the caller has locked, of whatever training; None where nothing is.

        Raises:
            UnreadableFile: its file is damaged, or lacks what this version needs.
        """
        place = self.folders.of(name)
        if again:
            clear(place)
        return self.read(name) if (place / self.folders.file).is_file() else None

    def listed(self, row: Callable[[str, Known], dict[str, Any]]) -> list[dict[str, Any]]:
        """A row for each model on this machine.

        Args:
            row: makes it of a model's name and what is known of it.

        Raises:
            UnreadableFile: a file is damaged.
        """
        return [row(name, self.read(name)) for name in self.folders.names()]

    def keep(self, place: Path, known: Known, history: Sequence[Mapping[str, Any]] | None = None, **files: Any) -> None:
        """Writes ``history.json``, a row per epoch, and other JSON files by name, and then ``config.json``."""
        if history is not None:
            files["history"] = list(history)
        make_folder(place)
        for name, content in files.items():
            write_json(place / f"{name}.json", content)
        write_json(place / self.folders.file, self.facts(known))


def record(kind: type[Record], facts: Any) -> Record:
    """A record from JSON, whose values need not have the types of its fields.

    Names that this version does not know are ignored; what an earlier version did not have is at its default.

    Raises:
        ValueError: a field is missing or of another type, or another version wrote it; the message says which.
    """
    if not isinstance(facts, dict):
        raise ValueError("it is not a JSON object")  # noqa: TRY004 - reported like every other fault
    hints = get_type_hints(kind)
    if "form" in hints and facts.get("form", FORM) != FORM:
        raise ValueError("another version of harmgraph wrote it")
    known: dict[str, Any] = {}
    for each in fields(kind):  # type: ignore[arg-type]  # kind is a dataclass
        if each.name in facts:
            known[each.name] = _value(each.name, facts[each.name], hints[each.name])
        elif each.default is MISSING and each.default_factory is MISSING:
            raise ValueError(f"it has no {each.name}")
    return kind(**known)


def _value(name: str, value: Any, hint: Any) -> Any:
    """A value of a field: JSON has lists for tuples, and objects for records; an empty one may stand for None."""
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if value == {} and any(map(is_dataclass, kinds)) and type(None) in kinds:
        return None
    for kind in kinds:
        if is_dataclass(kind) and isinstance(value, dict):
            try:
                return record(kind, value)  # type: ignore[arg-type]
            except (ValueError, BadName) as error:
                raise ValueError(f"of its {name}: {error}") from error
        plain = get_origin(kind) or kind
        if plain is tuple and isinstance(value, (list, tuple)):
            part: Any = get_args(kind)[0]
            known = is_dataclass(part)
            return tuple(record(part, each) if known else each for each in value)
        if plain is float and type(value) in (int, float):
            return float(value)
        if type(value) is plain or (plain not in (int, float) and isinstance(value, plain)):
            return value
    raise ValueError(f"its {name} is {value!r}")


def read_json(path: Path) -> Any:
    """The content of one of a model's JSON files.

    Raises:
        UnreadableFile: it is damaged.
    """
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error


def write_json(path: Path, content: Any) -> None:
    """Writes one of a model's JSON files, whole or not at all."""
    with beside(path) as part:
        part.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def unreadable(path: Path, error: Exception) -> UnreadableFile:
    """One of a model's files cannot be used."""
    return UnreadableFile(path, f"cannot be read ({error})", remedy=AGAIN)


def other_training(place: Path) -> InputError:
    """The error for a folder of a training with other data or options."""
    return InputError(
        "a training on other data or with other options has this name",
        where=str(place),
        remedy="choose another name, or start over with --again",
    )


def same_precision(asked: str, known: str, place: Path) -> str:
    """The precision of a training that goes on or is finished.

    Args:
        asked: ``auto``, or the one that is asked for now. known: of the training.

    Raises:
        InputError: another is asked for.
    """
    if asked not in ("auto", known):
        raise InputError(
            f"this training computes in {known}, not in {asked}",
            where=str(place),
            remedy=f"go on with --precision {known}, or start over with --again",
        )
    return known


def versions(*packages: str) -> dict[str, str]:
    """The versions of the packages that a model was trained with."""
    return {package: version(package) for package in packages}
