"""Tell an outage from items that are gone: nobody deletes a whole site, and a server in trouble answers 404 to all."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlsplit

from attrs import define, field

from contentgen_core.model.synced_source import DOUBTFUL_SHARE, FEWEST_TO_DOUBT, SyncedItem


def site_of(key: str) -> str:
    """Return the host of a page's address; what is no page has none, and is one site."""
    return urlsplit(key).netloc


def is_mass_loss(known: int, left: int) -> bool:
    """Return whether so few of the known items are left that the source may be broken: none of several, or less than
    half of FEWEST_TO_DOUBT or more."""
    if left == 0:
        return known > 1
    return known >= FEWEST_TO_DOUBT and left < known * DOUBTFUL_SHARE


@define
class GoneItems:
    """Known items that are listed and not there. `known`: how many of each site are listed and were not missing before;
    `read`: how many of these were asked for; `rows`: the items that are gone."""

    known: Counter[str] = field(factory=Counter)
    read: Counter[str] = field(factory=Counter)
    rows: list[SyncedItem] = field(factory=list)

    def doubted(self) -> set[str]:
        """Return the keys of those that are gone together with most of their site, or of the source."""
        keys = {row.key for row in self.rows if row.missing_since is None}
        gone = Counter(map(site_of, keys))
        if self._is_loss(gone.total(), self.read.total(), self.known.total()):
            return keys
        sites = {site for site in gone if self._is_loss(gone[site], self.read[site], self.known[site])}
        return {key for key in keys if site_of(key) in sites}

    def _is_loss(self, gone: int, read: int, known: int) -> bool:
        """Whether so many gone items are a loss. Where only a part was read, that part decides, unless it is too
        small."""
        return is_mass_loss(known, known - gone) or (gone >= FEWEST_TO_DOUBT and is_mass_loss(read, read - gone))
