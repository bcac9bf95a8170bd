"""The files of ``.github`` have the forms that GitHub reads, and their commands are targets of the Makefile."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.support.places import ROOT

GITHUB = ROOT / ".github"
FORMS = {
    "actions/audit/action.yml": "vendor.github-actions",
    "workflows/test.yml": "vendor.github-workflows",
    "ISSUE_TEMPLATE/fault.yml": "vendor.github-issue-forms",
    "ISSUE_TEMPLATE/wish.yml": "vendor.github-issue-forms",
    "ISSUE_TEMPLATE/config.yml": "vendor.github-issue-config",
}


@pytest.mark.parametrize("name", FORMS)
def test_a_file_has_the_form_that_github_reads(name: str) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", FORMS[name], str(GITHUB / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_file_is_left_out() -> None:
    assert {str(path.relative_to(GITHUB)) for path in GITHUB.rglob("*") if path.is_file()} == set(FORMS)


def test_the_commands_are_targets_of_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    called = re.findall(r"make ([a-z-]+)", (GITHUB / "workflows" / "test.yml").read_text(encoding="utf-8"))
    assert {"demo", "test"} <= set(called) <= targets
