"""The decorator that registers a repository on PostgreSQL."""

from __future__ import annotations

from typing import Final

from contentgen_adapters.postgres.session import Session
from contentgen_adapters.shared.repositories import Repositories

repository: Final = Repositories[Session]()
