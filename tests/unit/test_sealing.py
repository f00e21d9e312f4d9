"""Secrets open under the keys at hand, for the purpose they were sealed for, and for nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.sealing import FernetBox
from contentgen_core.ports.sealing import SecretUnreadable

OLD, NEW = "old key " * 4, "new key " * 4


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(exclude_categories=["Cs"])))
def test_what_is_sealed_opens_again_and_does_not_show(secret: str, purpose: str) -> None:
    box = FernetBox(lambda: [OLD])
    sealed = box.seal(secret, purpose)
    assert box.open(sealed, purpose) == secret
    assert len(secret) < 4 or secret not in sealed
    assert sealed != box.seal(secret, purpose)


def test_a_secret_does_not_open_for_another_purpose() -> None:
    box = FernetBox(lambda: [OLD])
    with pytest.raises(SecretUnreadable):
        box.open(box.seal("secret", "tenant 1"), "tenant 2")


@pytest.mark.parametrize("damaged", ["", "x", "gAAAAAB", "Ω", "a" * 10_000])
def test_what_is_damaged_does_not_open(damaged: str) -> None:
    box = FernetBox(lambda: [OLD])
    with pytest.raises(SecretUnreadable):
        box.open(damaged, "p")
    assert not box.current(damaged)


def test_a_changed_byte_is_noticed() -> None:
    box = FernetBox(lambda: [OLD])
    sealed = box.seal("secret", "p")
    for place in range(10, len(sealed) - 2, 7):
        changed = sealed[:place] + ("A" if sealed[place] != "A" else "B") + sealed[place + 1 :]
        with pytest.raises(SecretUnreadable):
            box.open(changed, "p")


def test_an_old_key_opens_and_only_the_newest_seals() -> None:
    sealed = FernetBox(lambda: [OLD]).seal("secret", "p")
    box = FernetBox(lambda: [NEW, OLD])
    assert box.open(sealed, "p") == "secret"
    assert not box.current(sealed)
    anew = box.seal("secret", "p")
    assert box.current(anew)
    with pytest.raises(SecretUnreadable):
        FernetBox(lambda: [OLD]).open(anew, "p")


def test_a_key_that_came_later_is_found_out() -> None:
    keys = [OLD]
    box = FernetBox(lambda: keys)
    sealed = FernetBox(lambda: [NEW]).seal("secret", "p")
    keys.insert(0, NEW)
    assert box.open(sealed, "p") == "secret"


@pytest.mark.parametrize("keys", [[], ["short"], [OLD, "short"]])
def test_a_weak_key_is_refused(keys: list[str]) -> None:
    with pytest.raises(ValueError, match="32 characters"):
        FernetBox(lambda: keys)


def test_nothing_is_sealed_under_a_key_that_another_process_has_replaced() -> None:
    keys = [OLD]
    box = FernetBox(lambda: keys)
    keys[:] = [NEW]
    assert FernetBox(lambda: [NEW]).open(box.seal("secret", "p"), "p") == "secret"
