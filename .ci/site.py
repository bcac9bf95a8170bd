"""Hooks of MkDocs: what the site has beside the pages of ``docs/``, which stay as they are read in a checkout.

The README is the page *start*, the reference is made from docstrings, and ``llms.txt`` lists all pages for language models.
The navigation is that of ``docs/index.md``. A link out of ``docs/`` that is no page becomes its text.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.utils import get_relative_url

ROOT = Path(__file__).resolve().parents[1]
START, REFERENCE = "start.md", "reference.md"
SHIM, SCRIPT = "https://unpkg.com/iframe-worker/shim", "assets/javascripts/iframe-worker.js"
MODULES = ("harmgraph.knowledge_base", "harmgraph.statistics", "harmgraph.graph.connection", "harmgraph.common.errors")
"""What Python programs use."""
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_ROW = re.compile(r"^\| (.+) \| (.+) \|$", re.MULTILINE)


def _parts() -> dict[str, list[tuple[str, str, str]]]:
    """Of each part of ``docs/index.md`` its pages: title, path and what it says."""
    parts: dict[str, list[tuple[str, str, str]]] = {}
    for section in (ROOT / "docs/index.md").read_text("utf-8").split("\n## ")[1:]:
        name, _, text = section.partition("\n")
        parts[name] = [
            (title, path, said) for links, said in _ROW.findall(text) for title, path in _LINK.findall(links)
        ]
    return parts


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Sets the navigation."""
    parts: list[Any] = [{"Contents": "index.md"}, {"Ten minutes": START}]
    parts += [{name: [{title: path} for title, path, _ in pages]} for name, pages in _parts().items()]
    config.nav = [*parts, {"Reference of Python": REFERENCE}]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the README and the reference."""
    start = re.sub(r"\]\(docs/", "](", (ROOT / "README.md").read_text("utf-8")).replace('<img src="docs/', '<img src="')
    reference = "# Reference of Python\n\n" + "".join(f"## {name}\n\n::: {name}\n\n" for name in MODULES)
    for path, text in ((START, start), (REFERENCE, reference)):
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: MkDocsConfig, files: Files) -> str:
    """Leads links to the README to its page, and takes away those to files that are no page."""

    def lead(match: re.Match[str]) -> str:
        title, path = match.groups()
        if path.startswith(("http:", "https:", "#", "mailto:")):
            return match[0]
        where, _, anchor = path.partition("#")
        place = (Path("docs") / page.file.src_uri).parent if page.file.src_uri != START else Path("docs")
        target = (ROOT / place / where).resolve()
        if target == ROOT / "README.md":
            return f"[{title}]({START}{'#' + anchor if anchor else ''})"
        known = target.is_relative_to(ROOT / "docs") and files.get_file_from_path(
            str(target.relative_to(ROOT / "docs"))
        )
        return match[0] if known else title

    return _LINK.sub(lead, markdown)


def on_post_page(output: str, page: Any, config: MkDocsConfig) -> str:
    """Takes the one script of the theme that is elsewhere from the site itself, so that no network is needed."""
    return output.replace(f'src="{SHIM}"', f'src="{get_relative_url(SCRIPT, page.url)}"')


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    """The same of the page for addresses that are not there, which stands at the root."""
    return output.replace(f'src="{SHIM}"', f'src="/{SCRIPT}"')


def on_post_build(config: MkDocsConfig) -> None:
    """Writes the script, ``llms.txt``, and the pages as Markdown beside it."""
    site = Path(config.site_dir)
    (site / SCRIPT).write_bytes((ROOT / ".ci/iframe-worker.js").read_bytes())
    lines = [f"# {config.site_name}", "", f"> {config.site_description}", ""]
    lines += [f"- [Ten minutes]({START}): the first commands"]
    (site / START).write_text((ROOT / "README.md").read_text("utf-8"), "utf-8")
    for name, pages in _parts().items():
        lines += ["", f"## {name}", ""]
        for title, path, said in pages:
            lines.append(f"- [{title}]({path}): {_LINK.sub(lambda match: match[1], said)}")
            (site / path).parent.mkdir(parents=True, exist_ok=True)
            (site / path).write_text((ROOT / "docs" / path).read_text("utf-8"), "utf-8")
    (site / "llms.txt").write_text("\n".join(lines) + "\n", "utf-8")
