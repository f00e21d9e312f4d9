"""Parts of the package that are installed on demand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from contentgen_core.errors import ContentgenError


class MissingExtra(ContentgenError):
    """A package of an extra is not installed; the text says which extra, and how to install it."""

    code = "missing_extra"

    def __init__(self, package: str, extra: str) -> None:
        """`package`: the module that was not found. `extra`: as in `contentgen-grounded[server]`."""
        super().__init__(
            f"The Python package {package} is not installed. Run: pip install 'contentgen-grounded[{extra}]'"
        )
        self.package, self.extra = package, extra

    @property
    def log_text(self) -> str:
        return self.detail


@contextmanager
def from_extra(extra: str) -> Iterator[None]:
    """Around imports that need this extra. Raises MissingExtra where a package of others is absent."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package.startswith("contentgen"):
            raise
        raise MissingExtra(package, extra) from error
