"""Partial changes: a field that was not sent is UNSET, one that was sent as null is None."""

from enum import Enum
from typing import Final, Literal


class Unset(Enum):
    UNSET = "unset"


UNSET: Final = Unset.UNSET
UnsetType = Literal[Unset.UNSET]
