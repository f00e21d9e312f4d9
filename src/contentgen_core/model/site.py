"""Settings of the service's public pages."""

from __future__ import annotations

import re
from typing import Final, Literal

from attrs import field, frozen
from attrs.validators import matches_re, max_len

LEAST_CONTRAST: Final = 4.5
"""Of text to its ground, as WCAG 2.2 asks for at level AA (success criterion 1.4.3)."""
LIGHT_GROUND: Final = "#ffffff"
DARK_GROUND: Final = "#17191c"
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")


@frozen(kw_only=True)
class Site:
    """`name`: what the site is called. `author`: who its articles are by; None: the site itself. `language`: that of
    its own words; articles keep theirs. `logo`: address of a picture, None without. `colour`, `dark_colour`: of links
    and marks (#rrggbb), on a light and on a dark ground. Raises ValueError."""

    name: str = field(default="Contentgen", validator=max_len(100))
    author: str | None = None
    language: Literal["en", "fr"] = "en"
    logo: str | None = None
    colour: str = field(default="#0b4f8a", validator=matches_re(_COLOUR))
    dark_colour: str = field(default="#8ab8ff", validator=matches_re(_COLOUR))

    def __attrs_post_init__(self) -> None:
        for colour, ground in ((self.colour, LIGHT_GROUND), (self.dark_colour, DARK_GROUND)):
            if (found := contrast(colour, ground)) < LEAST_CONTRAST:
                raise ValueError(
                    f"{colour} cannot be read on {ground}: their contrast is {found:.1f}, {LEAST_CONTRAST} is needed"
                )


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (#rrggbb), 1 to 21: the ratio of their relative luminances (WCAG 2.2)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
