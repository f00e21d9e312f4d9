"""The part of a language model in writing a text."""

from __future__ import annotations

from enum import StrEnum


class AiUse(StrEnum):
    """none: no language model wrote any of it, as far as is recorded: people did, or its sentences are copied from its
    sources; generated: a language model wrote it; assisted: a language model wrote some of it, and people wrote in it
    too."""

    NONE = "none"
    ASSISTED = "assisted"
    GENERATED = "generated"
