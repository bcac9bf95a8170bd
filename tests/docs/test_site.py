"""The site of the documentation: built strictly, every page in it, readable and searchable from a file without a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.support.chromium import CHROMIUM

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="the extra harmgraph[site] is not installed")
    folder = tmp_path_factory.mktemp("site") / "built"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_in_the_contents(site: Path) -> None:
    listed = (site / "llms.txt").read_text("utf-8")
    pages = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    told = [path for path in pages if path.parts[0] not in ("decisions", "examples") and path.name != "index.md"]
    assert len(told) > 30
    for path in told:
        assert f"]({path})" in listed, f"docs/index.md names {path}"
        assert (site / path).read_text("utf-8") == (ROOT / "docs" / path).read_text("utf-8")
    for path in pages:
        assert (site / path.with_suffix(".html")).is_file()
    assert "load_frame" in (site / "reference.html").read_text("utf-8")


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text("utf-8")
        assert not re.findall(r'<(?:script|img|iframe)[^>]*src="(?:https?:)?//', text), path
        assert not re.findall(r'<link[^>]*rel="stylesheet"[^>]*href="(?:https?:)?//', text), path


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_search_in_a_file(site: Path, chromium: Browser) -> None:
    page = chromium.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "papers/mehrabi2021.html").as_uri())
    page.get_by_role("textbox", name="Search").fill("prejudice")
    page.locator(".md-search-result__link").first.wait_for(timeout=60_000)
    assert page.locator(".md-search-result__link").count() > 3
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    page.close()
