"""The decorator that registers a repository on the memory store."""

from __future__ import annotations

from typing import Final

from contentgen_adapters.memory.session import Session
from contentgen_adapters.shared.repositories import Repositories

repository: Final = Repositories[Session]()
