"""Regular expressions of several languages, of which a program meets few."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, final

from contentgen_core.model.vocabulary import Language


@final
class PatternsByLanguage:
    """Patterns by language, each compiled when its language is first used: compiling all takes longer than what an
    article uses of them."""

    def __init__(
        self, patterns: Mapping[Language, str], flags: re.RegexFlag = re.NOFLAG, *, before: str = "", after: str = ""
    ) -> None:
        """`patterns`, and what stands before and after each: as `re` reads them."""
        self._patterns, self._flags, self._before, self._after = patterns, flags, before, after
        self._compiled: Final[dict[Language, re.Pattern[str]]] = {}

    def get(self, language: Language) -> re.Pattern[str] | None:
        """The pattern of this language, if it has one."""
        found = self._compiled.get(language)
        if found is None and (pattern := self._patterns.get(language)) is not None:
            whole = f"{self._before}{pattern}{self._after}"
            found = self._compiled[language] = re.compile(whole, self._flags)
        return found
