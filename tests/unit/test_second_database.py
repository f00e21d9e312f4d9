"""A command that was not told where the data are starts no second private database beside the one that runs."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from contentgen_adapters.postgres.embedded import running
from contentgen_grounded import settings
from contentgen_grounded.settings import BadSetting
from contentgen_http.commands.console import settings_of


@pytest.fixture(autouse=True)
def usual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data directory of who names none."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(os, "environ", {"PATH": os.environ["PATH"]})
    load, place = settings.load, tmp_path / "usual"

    def loaded(_: None, *, data_dir: Path | None) -> settings.Settings:
        named = data_dir or os.environ.get("CONTENTGEN_DATA_DIR")
        return load(data_dir=named or place)

    monkeypatch.setattr(settings, "load", loaded)
    return place


@contextmanager
def database_on(data_dir: Path) -> Iterator[None]:
    """Its processes hold this lock for as long as they live."""
    locks = data_dir / "postgres.locks"
    locks.mkdir(parents=True, exist_ok=True)
    with (locks / "server").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        running.remember(data_dir)
        yield


def test_it_names_the_one_that_runs_and_how_to_choose(tmp_path: Path, usual: Path) -> None:
    other = tmp_path / "other"
    with database_on(other):
        with pytest.raises(BadSetting) as refused:
            settings_of(None)
        assert f"--data-dir {other}" in refused.value.detail
        assert f"--data-dir {usual}" in refused.value.detail
    assert settings_of(None).data_dir == usual, "nothing runs any more: the note of a database that ended is forgotten"
    assert running.found() == []


def test_who_says_where_the_data_are_is_believed(tmp_path: Path, usual: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with database_on(tmp_path / "other"):
        assert settings_of(usual).data_dir == usual
        monkeypatch.setitem(os.environ, "CONTENTGEN_DATA_DIR", str(usual))
        assert settings_of(None).data_dir == usual
        monkeypatch.delitem(os.environ, "CONTENTGEN_DATA_DIR")
        monkeypatch.setitem(os.environ, "CONTENTGEN_DATABASE_URL", "postgresql://db.example.org/contentgen")
        assert settings_of(None).database_url is not None


def test_the_usual_one_that_runs_is_the_one_that_is_meant(tmp_path: Path, usual: Path) -> None:
    with ExitStack() as stack:
        stack.enter_context(database_on(tmp_path / "other"))
        stack.enter_context(database_on(usual))
        assert settings_of(None).data_dir == usual
        assert set(running.found()) == {tmp_path / "other", usual}


def test_notes_of_others_are_not_read(tmp_path: Path) -> None:
    """Anybody may make a directory of this name in the one for temporary files."""
    other, elsewhere = tmp_path / "other", tmp_path / "elsewhere"
    with database_on(other):
        [folder] = tmp_path.glob("contentgen-databases-*")
        folder.rename(elsewhere)
        folder.symlink_to(elsewhere)
        assert running.found() == []
        running.remember(tmp_path / "third")
        assert len(list(elsewhere.iterdir())) == 1
