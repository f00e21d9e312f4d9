"""The version of a page that is at hand, as a text that is given back to ask for a newer one."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

import msgspec
from attrs import evolve, field, frozen

from contentgen_adapters.shared.fetched_document import Validators

BELIEVED: Final = timedelta(days=30)
"""A server that says for longer that nothing changed is asked for the whole page: it may be wrong."""


class _Written(msgspec.Struct, frozen=True, array_like=True):
    url: str
    fetched_at: datetime
    etag: str | None = None
    modified: str | None = None


@frozen
class Version:
    """The version of a page that was read. `url`: where the page was found, after redirects; its validators do not
    apply to other addresses. `fetched_at`: when it was read in full; None: no version is known.
    """

    url: str = ""
    validators: Validators = field(factory=Validators)
    fetched_at: datetime | None = None

    @classmethod
    def read(cls, text: str | None) -> Version:
        """Parse the text that `written` returned; return an unknown version for anything else."""
        try:
            found = msgspec.json.decode(text or "", type=_Written)
        except msgspec.DecodeError:
            return cls()
        return cls(found.url, Validators(found.etag, found.modified), found.fetched_at)

    def written(self) -> str | None:
        """Return the version as text; None if it has no validators. A Last-Modified in the future is left out: a server
        with such a clock would call later changes old.
        """
        validators = self.validators
        if self.fetched_at is None:
            return None
        if validators.modified is not None and not _is_before(validators.modified, self.fetched_at):
            validators = evolve(validators, modified=None)
        if not validators.headers:
            return None
        written = _Written(self.url, self.fetched_at, validators.etag, validators.modified)
        return msgspec.json.encode(written).decode()

    def validators_for(self, url: str, now: datetime) -> Validators:
        """Return the validators to send to this address."""
        if self.fetched_at is None or url != self.url or not timedelta() <= now - self.fetched_at < BELIEVED:
            return Validators()
        return self.validators


def _is_before(date: str, moment: datetime) -> bool:
    try:
        return parsedate_to_datetime(date) <= moment
    except (ValueError, TypeError, OverflowError):  # no date, one without a zone, or one of no calendar
        return False
