"""Services with some of their use cases or ports exchanged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from contentgen_http.services import Services


def changed(services: Services, **subjects: Mapping[str, Any]) -> Services:
    """Return the same services with replaced parts: `changed(services, jobs={"translate": spy})` replaces
    `services.jobs.translate`.
    """
    return evolve(services, **{name: evolve(getattr(services, name), **new) for name, new in subjects.items()})
