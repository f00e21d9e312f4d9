"""The prompts: Markdown files with a version line and `$name` placeholders."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template
from typing import Final

from attrs import frozen

_MARK: Final = "version: "


@frozen
class Prompt:
    """A prompt. `version`: increased with each change of the wording."""

    name: str
    version: int
    template: Template

    def fill(self, **values: object) -> str:
        """The text with all placeholders filled. Raises KeyError for a missing value."""
        return self.template.substitute({name: str(value) for name, value in values.items()}).strip() + "\n"


@cache
def prompt(name: str) -> Prompt:
    text = files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    first, _, body = text.partition("\n")
    if not first.startswith(_MARK):
        raise ValueError(f"prompt {name!r} does not start with a version line")
    return Prompt(name, int(first.removeprefix(_MARK)), Template(body))
