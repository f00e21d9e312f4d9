"""Parts of the package that are installed on demand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import distribution
from typing import Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

from contentgen_core.errors import ContentgenError

DISTRIBUTION: Final = "contentgen-grounded"


def install_command(extra: str) -> str:
    """Return the command that installs an extra from where the package itself came from: a checkout, a wheel or a
    repository (PEP 610), else by its name from the index of packages."""
    origin = json.loads(distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
    address = origin.get("url", "")
    if origin.get("dir_info", {}).get("editable"):
        return f"pip install -e '{url2pathname(urlsplit(address).path)}[{extra}]'"
    if version_control := origin.get("vcs_info"):
        address = f"{version_control['vcs']}+{address}@{version_control['commit_id']}"
    target = f"{DISTRIBUTION}[{extra}] @ {address}" if address else f"{DISTRIBUTION}[{extra}]"
    return f"pip install '{target}'"


class MissingExtra(ContentgenError):
    """A package of an extra is not installed; the text says which extra, and how to install it."""

    code = "missing_extra"

    def __init__(self, package: str, extra: str) -> None:
        """Name the extra to install. `package`: the module that was not found. `extra`: as in
        `contentgen-grounded[server]`.
        """
        super().__init__(f"The Python package {package} is not installed. Run: {install_command(extra)}")
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
