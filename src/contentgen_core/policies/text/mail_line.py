"""Untrusted texts in mails."""

from __future__ import annotations


def mail_line(text: str) -> str:
    """The text on one line and printable: its author must not influence the layout or the headers of a mail."""
    return "".join(character for character in " ".join(text.split()) if character.isprintable())
