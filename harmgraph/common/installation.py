"""Where this harmgraph was installed from, to tell the user how to install its optional parts."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

from harmgraph.common.json_text import from_json

CHECKOUT = Path(__file__).resolve().parents[2]  # the folders of a checkout are linked into the package


def extra_command(extra: str) -> str:
    """The command that installs an optional part, such as ``models``.

    harmgraph is not on a package index, so the part is installed from the checkout that is running, or from the wheel, folder
    or repository that was given to pip. Otherwise the command uses the plain name, for a private index.
    """
    if (CHECKOUT / "pyproject.toml").is_file():
        return f"pip install --editable '{CHECKOUT}[{extra}]'"
    url = _given_to_pip()
    if url.startswith("file:") and url.endswith(".whl"):
        return f"pip install '{unquote(urlsplit(url).path)}[{extra}]'"
    return f"pip install 'harmgraph[{extra}] @ {url}'" if url else f"pip install 'harmgraph[{extra}]'"


def _given_to_pip() -> str:
    """The URL that pip installed from (PEP 610), empty if it was a name on an index."""
    try:
        facts = from_json(metadata.distribution("harmgraph").read_text("direct_url.json") or "{}")
    except (metadata.PackageNotFoundError, ValueError):
        return ""
    url, version_control = str(facts.get("url", "")), facts.get("vcs_info")
    return f"{version_control['vcs']}+{url}@{version_control['commit_id']}" if version_control and url else url
