"""The files of a Hugging Face data set: a folder on this machine, or its name on the Hub.

Which file belongs to which split is what the library ``datasets`` says. The importers read the files themselves, so a load has
their digests and the numbers of their rows.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from harmgraph.common.errors import InputError, MissingExtra, UnknownMember, UnreadableFile
from harmgraph.common.hidden import without_secrets
from harmgraph.common.installation import extra_command
from harmgraph.common.no_space import writing
from harmgraph.common.progress import progress

EXTRA = "datasets"
SCHEME = "hf://datasets/"
PATIENCE = 20  # seconds that the Hub has for its first answer
_NAME_ONLY = re.compile(r"[\w-][\w.-]*/[\w-]+")  # without an ending, so that it is hardly a file
_NAMED = re.compile(r"(?P<name>[\w.-]+(/[\w.-]+)?)(@(?P<revision>[^@\s]+))?")
_WITH_SCHEME = re.compile(r"[A-Za-z][\w+.-]*:|.*::", re.DOTALL)
CARDS = ("README.md", ".huggingface.yaml")
PATTERN = ("*", "?", "[", "::")  # what the library does not take for a part of a path
LONGEST_LICENCE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSetOrigin:
    """Where a data set comes from; empty where it does not say.

    Attributes:
        name: its name without that of its owner, or its folder's.
        url: with the commit, of one on the Hub.
        licence: as its card has it.
    """

    name: str = ""
    url: str = ""
    version: str = ""
    licence: str = ""


def is_data_set(path: Path) -> bool:
    """Whether a path means a data set: a folder, or ``hf://datasets/OWNER/NAME``, of which ``Path`` leaves one slash."""
    return _on_hub(path) is not None or _known(path.is_dir)


def _known(look: Callable[[], bool]) -> bool:
    """What a look at a path says; False where it cannot be looked at, as whoever opens it says why."""
    try:
        return look()
    except OSError:
        return False


def as_written(path: Path) -> str:
    """A path as the user wrote it, with both slashes of a scheme."""
    words = os.fspath(path)
    return words.replace("/", "//", 1) if words.startswith("hf:/") else words


def found_files(
    paths: Sequence[Path], split: str = "", subset: str = ""
) -> tuple[tuple[Path, ...], DataSetOrigin | None]:
    """The files that some paths mean, in their order, and where they come from if the only path is a data set.

    Args:
        paths: files, folders of data sets, and names on the Hub.
        split: empty for all splits of a data set.
        subset: name of its configuration; empty for the only one, or the default.

    Raises:
        MissingExtra: the package datasets is not installed.
        UnreadableFile: a path is missing, and looks like a name on the Hub without its scheme.
        InputError: there is no such data set, split or subset; the Hub does not answer; a data set has its files elsewhere.
    """
    for path in paths:
        if path.parts[:1] == ("hf:",) and not is_data_set(path) and not _known(path.exists):
            raise _no_name(as_written(path))
    if not any(map(is_data_set, paths)):
        if split or subset:
            option = "--split" if split else "--subset"
            raise InputError(
                f"{option} is for the folder of a data set, or for {SCHEME}OWNER/NAME", where=str(paths[0])
            )
        for path in paths:
            if _NAME_ONLY.fullmatch(os.fspath(path)) and not _known(path.exists):
                raise UnreadableFile(path, "no such file", remedy=f"a data set on the Hub is {SCHEME}{path}")
        return tuple(paths), None
    found: list[Path] = []
    origin = None
    for path in paths:
        if is_data_set(path):
            files, origin = _of_data_set(path, split, subset)
            found += files
        else:
            found.append(path)
    return tuple(found), origin if len(paths) == 1 else None


def _on_hub(path: Path) -> str | None:
    """What follows the scheme; None for any other path."""
    words = os.fspath(path).split("/", 2)
    named = words[:2] == ["hf:", "datasets"] and len(words) == 3
    return words[2].strip("/") if named else None


def _of_data_set(path: Path, split: str, subset: str) -> tuple[list[Path], DataSetOrigin]:
    on_hub = _on_hub(path)
    where = as_written(path)
    library = _library("" if on_hub is not None else where)
    with tempfile.TemporaryDirectory() as locks:  # otherwise it leaves some in the user's cache
        if on_hub is None:
            folder = path.resolve()  # its name alone may be that of a form, such as csv, for the library
            if any(sign in os.fspath(folder) for sign in PATTERN):
                raise InputError(
                    f"has one of {' '.join(PATTERN)} in its path, so no data set can be found there",
                    where=str(folder),
                    remedy="rename the folder, or name the files",
                )
            licence = _licence([path / card for card in CARDS], where)
            files = _of_split(_splits(library, os.fspath(folder), subset, locks, where), split, where)
            return [_inside(path, file, where) for file in files], DataSetOrigin(name=folder.name, licence=licence)
        name, revision = _known_name(on_hub, where)
        with _answering(where):
            from huggingface_hub import HfApi, hf_hub_download

            commit = str(HfApi().dataset_info(name, revision=revision, timeout=PATIENCE).sha)
            licence = _licence([card for file in CARDS if (card := _fetched(name, file, commit))], where)
            splits = _splits(library, f"{SCHEME}{name}", subset, locks, where, revision=commit)
            begin = f"{SCHEME}{name}@{commit}/"
            chosen = _of_split(splits, split, where)
            for file in chosen:
                if not file.startswith(begin):
                    raise _elsewhere(file, where)
            here: list[Path] = []
            for number, file in enumerate(chosen):
                inside = file.removeprefix(begin)
                progress(f"fetching {inside}", number, len(chosen))
                here.append(Path(hf_hub_download(name, inside, repo_type="dataset", revision=commit)))
    return here, DataSetOrigin(
        name=name.rpartition("/")[2], url=f"{SCHEME}{name}@{commit}", version=commit, licence=licence
    )


def _library(folder: str) -> Any:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    try:
        import datasets  # type: ignore[import-untyped]
    except ImportError as error:
        one = f"{folder} is a folder: name the file in it; to read a data set, " if folder else ""
        raise MissingExtra("datasets", EXTRA, f"{one}install it with: {extra_command(EXTRA)}") from error
    datasets.utils.logging.set_verbosity_error()
    return datasets


def _known_name(on_hub: str, where: str) -> tuple[str, str | None]:
    named = _NAMED.fullmatch(on_hub)
    if not named:
        raise _no_name(where)
    return named["name"], named["revision"]


def _no_name(where: str) -> InputError:
    return InputError(
        "is no name of a data set", where=where, remedy=f"write {SCHEME}OWNER/NAME, or {SCHEME}OWNER/NAME@REVISION"
    )


@contextmanager
def _answering(where: str) -> Iterator[None]:
    """Says in one line why the Hub gives nothing."""
    from huggingface_hub import constants, errors

    try:
        with writing(Path(constants.HF_HOME), remedy="make room, or set HF_HOME to another folder"):
            yield
    except errors.HFValidationError as error:
        raise _no_name(where) from error
    except errors.GatedRepoError as error:
        raise InputError(
            "is given only to those who asked for it", where=where, remedy="ask for it on its page, then set HF_TOKEN"
        ) from error
    except errors.RevisionNotFoundError as error:
        raise InputError("has no such revision", where=where) from error
    except errors.RepositoryNotFoundError as error:
        raise InputError(
            "the Hub has no such data set, or not for you",
            where=where,
            remedy="check the name; of a private one, set HF_TOKEN",
        ) from error
    except (errors.HTTPError, OSError) as error:  # type: ignore[attr-defined]
        raise InputError(
            f"the Hub does not answer ({_said(error, 120)})",
            where=where,
            remedy="check the network, or give a folder or files",
        ) from error


def _splits(
    library: Any, place: str, subset: str, locks: str, where: str, revision: str | None = None
) -> Mapping[str, Sequence[str]]:
    """The files of each split."""
    from huggingface_hub import errors

    try:
        builder = library.load_dataset_builder(place, subset or None, cache_dir=locks, revision=revision)
    except Exception as error:  # of a card that is wrong, the library raises whatever its code meets
        silent = isinstance(error, errors.HTTPError | OSError) and not isinstance(error, FileNotFoundError)  # type: ignore[attr-defined]
        if revision and (silent or isinstance(error, errors.LocalEntryNotFoundError)):
            raise
        known = _subsets(library, place, revision) if isinstance(error, ValueError) else []
        if subset and known:
            raise UnknownMember(f"subset of {where}", subset, known) from error
        if len(known) > 1:
            raise InputError(
                f"has {len(known)} subsets", where=where, remedy=f"name one with --subset: {', '.join(known[:12])}"
            ) from error
        raise InputError(
            f"is {'' if revision else 'a folder, and '}no data set whose files can be found ({_said(error, 200)})",
            where=where,
            remedy="name the files",
        ) from error
    return {str(name): tuple(files) for name, files in (builder.config.data_files or {}).items()}


def _subsets(library: Any, place: str, revision: str | None) -> list[str]:
    """The names of the subsets; none if there is no telling."""
    try:
        return list(library.get_dataset_config_names(place, revision=revision))
    except Exception:  # noqa: BLE001 - what is wrong was told by the error before
        return []


def _said(error: Exception, most: int) -> str:
    """The first line of an error, without the password of an address."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return without_secrets(lines[0] if lines else type(error).__name__)[:most]


def _of_split(splits: Mapping[str, Sequence[str]], split: str, where: str) -> list[str]:
    if split and split not in splits:
        raise UnknownMember(f"split of {where}", split, splits)
    # A card may put a file into several splits: it is read once.
    files = list(dict.fromkeys(file for name, files in splits.items() if split in ("", name) for file in files))
    if not files:
        raise InputError("has no files of data", where=where, remedy="name the files")
    return files


def _inside(folder: Path, file: str, where: str) -> Path:
    """A file of a folder as the user would write it; what the folder's card names elsewhere is not read."""
    # By the words of the paths: a folder of the Hub's cache has links to files elsewhere, which are part of it.
    root, path = folder.resolve(), Path(os.path.normpath(file))
    if not path.is_relative_to(root):
        raise _elsewhere(file, where)
    return folder / path.relative_to(root)


def _elsewhere(file: str, where: str) -> InputError:
    return InputError(
        f"names a file that is not part of it: {file[:200]}", where=where, remedy="give the files themselves"
    )


def _fetched(name: str, file: str, commit: str) -> Path | None:
    """A file of a data set on the Hub; None if it has none of that name."""
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError, LocalEntryNotFoundError

    try:
        return Path(hf_hub_download(name, file, repo_type="dataset", revision=commit))
    except LocalEntryNotFoundError:  # the Hub does not answer
        raise
    except EntryNotFoundError:
        return None


def _licence(cards: Sequence[Path], where: str) -> str:
    """The licence that the cards name; empty if there are none, or none is named.

    Raises:
        InputError: a card cannot be read, or names files elsewhere. The library would ask any server that it names for them.
    """
    import yaml
    from huggingface_hub import DatasetCard

    said: dict[str, Any] = {}
    for card in cards:
        if not _known(card.is_file):
            continue
        try:
            if card.suffix == ".md":
                said |= DatasetCard.load(card).data.to_dict()
            else:
                said |= yaml.safe_load(card.read_text(encoding="utf-8")) or {}
        except Exception as error:
            raise InputError(
                f"{card.name} of it cannot be read ({_said(error, 120)})", where=where, remedy="name the files"
            ) from error
    configs = said.get("configs")
    for config in configs if isinstance(configs, list) else ():
        if isinstance(config, dict):
            for named in _texts([config.get("data_files"), config.get("data_dir")]):
                if _WITH_SCHEME.match(named) or named[:1] in ("/", "~") or ".." in PurePosixPath(named).parts:
                    raise _elsewhere(named, where)
    licence = said.get("license") or ""
    return (", ".join(map(str, licence)) if isinstance(licence, list) else str(licence))[:LONGEST_LICENCE]


def _texts(value: Any) -> Iterator[str]:
    """The texts in lists and mappings; each of them is looked at once, as YAML can name one many times."""
    waiting, seen = [value], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
