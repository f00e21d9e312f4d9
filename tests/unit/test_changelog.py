"""The changelog: releases in order, each group once, short lines; and one version wherever it is named."""

from __future__ import annotations

import re
import tomllib
from typing import Final

from tests.support.shown import ROOT

CHANGELOG: Final = (ROOT / "CHANGELOG.md").read_text("utf-8")
RELEASES: Final = re.split(r"^## ", CHANGELOG, flags=re.M)[1:]
GROUPS: Final = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def version_of(release: str) -> tuple[int, ...]:
    """Return the version in the heading of a release."""
    return tuple(int(part) for part in release.partition("]")[0].removeprefix("[").split("."))


def test_releases_stand_newest_first_below_what_is_unreleased() -> None:
    assert RELEASES[0].startswith("[Unreleased]\n")
    versions = [version_of(release) for release in RELEASES[1:]]
    assert versions == sorted(set(versions), reverse=True)
    dates = [re.match(r"\[[\d.]+\] - (\d{4}-\d\d-\d\d)\n", release) for release in RELEASES[1:]]
    found = [date[1] for date in dates if date]
    assert len(found) == len(versions)
    assert found == sorted(found, reverse=True)


def test_each_group_of_a_release_stands_once_and_in_order() -> None:
    for release in RELEASES:
        groups = re.findall(r"^### (.+)$", release, re.M)
        assert groups == [group for group in GROUPS if group in groups], release[:30]


def test_each_entry_of_a_release_is_one_short_line_and_stands_once() -> None:
    entries = re.findall(r"^- .+$", CHANGELOG, re.M)
    assert len(entries) == len(set(entries))
    released = re.findall(r"^- .+$", "".join(RELEASES[1:]), re.M)
    assert [entry for entry in released if len(re.sub(r"\]\(.*?\)", "]", entry)) > 260] == []


def test_the_version_is_that_of_the_newest_release_wherever_it_is_named() -> None:
    newest = ".".join(map(str, version_of(RELEASES[1])))
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == newest
    [locked] = [
        package["version"]
        for package in tomllib.loads((ROOT / "uv.lock").read_text())["package"]
        if package["name"] == "contentgen-grounded"
    ]
    assert locked == newest
    images = [
        tag
        for file in (ROOT / "deploy").rglob("*.y*ml")
        for tag in re.findall(r"image: \S*/contentgen:(\S+)", file.read_text("utf-8"))
    ]
    assert images
    assert set(images) == {newest}
