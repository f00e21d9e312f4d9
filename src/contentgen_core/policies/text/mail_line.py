"""Texts of others in mails."""

from __future__ import annotations


def mail_line(text: str) -> str:
    """A text as part of a line: its author decides neither the layout of a mail nor its headers."""
    return "".join(character for character in " ".join(text.split()) if character.isprintable())
