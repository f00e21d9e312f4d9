"""Patterns of input that is aimed at a machine: URLs, script tags, JSON, SQL injection, templates.

They are applied to a text in NFKC without invisible characters and with straight quotes. Each is narrow on purpose: a
topic on SQL, HTML or JavaScript is an ordinary topic, a working fragment of them is not."""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen


@frozen
class Rule:
    """A pattern. `what` completes the sentence "must not contain …"."""

    what: str
    pattern: re.Pattern[str]

    def matches(self, text: str) -> bool:
        return self.pattern.search(text) is not None


def _any_of(*patterns: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns), flags)


_TABLE_WORDS: Final = r"(?:table|database|schema|view|index|user|role|column)"

_URL: Final = _any_of(
    r"(?<![a-z0-9])[a-z][a-z0-9+.\-]{1,15}://\S",
    r"(?<![\w:/])//[\w\-]+\.[a-z]{2,}",
    r"(?<![\w.])www\d?\.[\w\-]",
    r"\b(?:java|vb|live)script:\S*[(=`]",
    r"\bdata:[\w\-]+/[\w\-+.]+[;,]",
    # A bare domain with a path, a query or a port. Not Node.js/Deno, ASP.NET/Blazor, B.Sc/M.Sc, 4.5/5.
    r"(?<![\w.@\-])(?!(?:asp|vb|ado|ml)\.net/)(?:[\w\-]+\.)*(?:[\w\-]{2,63}\.(?!(?:jsx?|tsx?|mjs|css|scss|sc)\b)[a-z]{2,24}"
    r"|[a-z0-9]\.(?:com|co|me|gd|ly|net|org|io))(?:/[\w~%.\-?#=]|\?\w+=|:\d{2,5}(?:/|$))",
    r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?/(?!\d{1,2}(?!\d))\S",
)
_SCRIPT: Final = _any_of(
    r"<\s*(?:/\s*)?(?:script|iframe|object|embed|applet|frameset)\b",
    r"<[^<>]*[\s/\"']on[a-z]{3,20}\s*=",
    r"<\?(?:php|xml|=)",
)
_JSON: Final = _any_of(
    r"\{\s*\"[^\"]*\"\s*:",
    r"\{\s*'[^']*'\s*:",
    r"\{\s*\w+\s*:\s*[\"{\[]",
    r"\[\s*\{",
    r"\[\s*\"[^\"]*\"\s*,\s*\"",
)
_SQL: Final = _any_of(
    # a string left open, then a condition that is always true
    r"['\"]\s*\)*\s*(?:or|and|\|\||&&)\s*\(*\s*(?:not\s+)?(?P<q>['\"]?)(?P<side>\w*)(?P=q)\s*(?:=|like)\s*['\"]?(?P=side)(?!\w)",
    r"\b(?:or|and)\s+\(*(?P<n>\d+)\s*=\s*(?P=n)(?!\w)",
    r"['\"]\s*\)*\s*(?:or|and)\s+(?:true|\d+|\S+)\s*(?:--|#)\s*$",
    r"['\"]\s*\)*\s*;?\s*--\s*$",
    r";\s*--",
    # a second statement
    rf";\s*(?:drop|alter|create)\s+{_TABLE_WORDS}\b",
    r";\s*(?:delete\s+from|insert\s+into|truncate\s+(?:table\s+)?\w|update\s+\S+\s+set|exec(?:ute)?\s+\w|shutdown\b)",
    r";\s*select\b.*\bfrom\b",
    # whole statements
    r"\bunion\s+(?:all\s+|distinct\s+)?select\b.*\bfrom\b",
    r"\bunion\s+(?:all\s+|distinct\s+)?select\s+(?:null\b|\d|\*|@|[\w.]+\s*,)",
    r"\bselect\s+\*\s+from\b",
    r"\bselect\b.+\bfrom\b.+\bwhere\b.+[=<>]",
    rf"\bdrop\s+{_TABLE_WORDS}\s+(?:if\s+exists\s+)?[\w.\"'\[\]]+\s*(?:;|--|cascade\s*$)",
    r"\bdelete\s+from\s+[\w.]+\s*(?:;|--|where\b.*[=<>])",
    r"\binsert\s+into\s+[\w.]+\s*(?:\([^)]*\)\s*)?values\s*\(",
    r"\bupdate\s+[\w.]+\s+set\s+\w+\s*=",
    # blind injection
    r"\b(?:pg_)?sleep\s*\(\s*\d",
    r"\bbenchmark\s*\(\s*\d",
    r"\bwaitfor\s+delay\b",
    r"\bxp_cmdshell\b",
    r"\binto\s+(?:out|dump)file\b",
)
# Upper case only: "Drop table tennis" is a sentence.
_SQL_UPPERCASE: Final = _any_of(r"^DROP\s+(?:TABLE|DATABASE|SCHEMA)\s+\S+$", flags=re.RegexFlag(0))
_TEMPLATE: Final = _any_of(r"[$#@]\{", r"\{\{", r"\{%", r"<%.*%>", r"<%[=@\-]")

RULES: Final = (
    Rule("a template literal", _TEMPLATE),
    Rule("script tags", _SCRIPT),
    Rule("a URL", _URL),
    Rule("a JSON block", _JSON),
    Rule("SQL commands", _SQL),
    Rule("SQL commands", _SQL_UPPERCASE),
)
