"""The texts of pages in each language, from Fluent catalogues, and numbers and dates as each language writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import cache, lru_cache
from importlib import resources
from typing import Final
from zoneinfo import ZoneInfo

from attrs import field, frozen
from babel import Locale
from babel.dates import (
    format_date,
    format_datetime,
    format_skeleton,
    format_time,
    format_timedelta,
    get_day_names,
    get_timezone_location,
)
from babel.lists import format_list
from babel.numbers import format_compact_decimal, format_currency, format_decimal, format_percent
from fluent.runtime import FluentBundle, FluentResource

DEFAULT: Final = "en"
LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "fr": "Français"}
"""Each language by its code, in its own words."""


class TextMissing(LookupError):
    """No catalogue has this text: a fault of the page, which tests look for."""


@frozen
class Texts:
    """`language`: one of LANGUAGES."""

    language: str
    _bundle: FluentBundle = field(repr=False, eq=False)
    _locale: Locale = field(repr=False, eq=False)

    _plain: dict[str, str] = field(factory=dict, repr=False, eq=False, init=False)

    def __call__(self, id: str, /, **values: object) -> str:
        """The text of this id. Raises TextMissing for an unknown id, and for a value that its text needs."""
        if values:
            return self._formatted(id, values)
        if id not in self._plain:  # formatting takes as long as all else that a page does with a text
            self._plain[id] = self._formatted(id, values)
        return self._plain[id]

    def _formatted(self, id: str, values: dict[str, object]) -> str:
        if not self._bundle.has_message(id):
            raise TextMissing(f"{self.language}: {id}")
        pattern = self._bundle.get_message(id).value
        if pattern is None:
            raise TextMissing(f"{self.language}: {id} has no text")
        text, errors = self._bundle.format_pattern(pattern, values)
        if errors:
            raise TextMissing(f"{self.language}: {id}: {errors}")
        return str(text)

    def interval(self, id: str, hours: int) -> str:
        """Return the text of this id for a length of time: `count` days (`unit`) if they are whole, else hours."""
        days, rest = divmod(hours, 24)
        return self(id, unit="hours", count=hours) if rest or not days else self(id, unit="days", count=days)

    def has(self, id: str) -> bool:
        return bool(self._bundle.has_message(id))

    def number(self, value: float) -> str:
        return str(format_decimal(value, locale=self._locale))

    def percent(self, share: float) -> str:
        """`share`: 0..1."""
        return str(format_percent(share, locale=self._locale))

    def moment(self, at: datetime, zone: str = "UTC") -> str:
        """A date with its time in this zone of IANA."""
        return _moment(self._locale, at, zone)

    def day(self, at: date) -> str:
        """A date alone, of a moment that in UTC: `25 November 2026`."""
        return str(format_date(at.astimezone(UTC) if isinstance(at, datetime) else at, "long", locale=self._locale))

    def full_day(self, day: date) -> str:
        """A date with its day of the week: `Wednesday, November 25, 2026`."""
        return str(format_date(day, "full", locale=self._locale))

    def short_weekday(self, day: date) -> str:
        """`Wed`."""
        return str(format_date(day, "ccc", locale=self._locale))

    def month(self, day: date) -> str:
        """`November 2026`."""
        return str(format_skeleton("yMMMM", day, locale=self._locale))

    def language_name(self, code: str) -> str:
        """The name of a language of ISO 639 in this one."""
        return str(self._locale.languages.get(code, code))

    def weekday(self, at: datetime, zone: str = "UTC") -> str:
        """A day of the week with its date in this zone of IANA: `Tue, Dec 1`."""
        return str(format_skeleton("MMMEd", at, tzinfo=ZoneInfo(zone), locale=self._locale))

    def weekdays(self, days: Iterable[int]) -> str:
        """Days of the week, from 0 for Monday, in a list: `Tuesday and Friday`."""
        names = get_day_names("wide", locale=self._locale)
        return str(format_list([names[day] for day in sorted(days)], locale=self._locale))

    def choice(self, names: Iterable[str]) -> str:
        """Names of which any may be chosen, in a list: `PDF, Word or EPUB`."""
        return str(format_list(list(names), style="or", locale=self._locale))

    def clock(self, hour: int, minute: int) -> str:
        """A time of day."""
        return _clock(self._locale, hour, minute)

    def time(self, at: datetime, zone: str = "UTC") -> str:
        """What the clocks of a zone show then."""
        shown = at.astimezone(ZoneInfo(zone))
        return self.clock(shown.hour, shown.minute)

    def place(self, zone: str) -> str:
        """The city, or the country, whose clocks a zone of IANA shows."""
        return str(get_timezone_location(zone, locale=self._locale, return_city=True))

    def country(self, code: str) -> str:
        """The name of a country by its ISO 3166-1 alpha-2 code."""
        return str(self._locale.territories.get(code, code))

    def duration(self, span: timedelta) -> str:
        """How long something took, in one unit: `3 minutes`."""
        return str(format_timedelta(span, granularity="second", threshold=1.5, locale=self._locale))

    def money(self, amount: Decimal, currency: str) -> str:
        """A sum, to a hundredth of a cent where it is small. `currency`: its ISO 4217 code."""
        shown = amount.quantize(Decimal("0.01") if amount >= 1 else Decimal("0.0001"))
        text = format_currency(shown, currency, locale=self._locale, currency_digits=False, decimal_quantization=False)
        return str(text)

    def compact(self, value: float) -> str:
        """A large number in few signs: `12K`."""
        return str(format_compact_decimal(value, locale=self._locale, fraction_digits=1))

    def short_month(self, day: date) -> str:
        """`Nov`."""
        return str(format_date(day, "MMM", locale=self._locale))

    def since(self, at: datetime, now: datetime) -> str:
        """How long ago, in one unit: `3 hours ago`."""
        return str(format_timedelta(at - now, add_direction=True, locale=self._locale))


@cache  # minutes of a day in each of LANGUAGES
def _clock(locale: Locale, hour: int, minute: int) -> str:
    return str(format_time(time(hour, minute), "short", locale=locale))


@lru_cache(4_096)  # pages are shown again, and asked for again while something is under way
def _moment(locale: Locale, at: datetime, zone: str) -> str:
    return str(format_datetime(at, "medium", tzinfo=ZoneInfo(zone), locale=locale))


@cache
def texts_of_package(language: str, package: str) -> Texts:
    """Those of the catalogues in a package's `locales/`. `language`: one of LANGUAGES."""
    bundle = FluentBundle([language], use_isolating=False)
    for _, source in catalogues(language, package):
        bundle.add_resource(FluentResource(source))
    return Texts(language, bundle, Locale.parse(language))


def catalogues(language: str, package: str) -> Iterator[tuple[str, str]]:
    """The name and the content of each catalogue file of a language."""
    folder = resources.files(package).joinpath("locales", language)
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".ftl"):
            yield file.name, file.read_text("utf-8")


def preferred(accept_language: str) -> str:
    """The language that an Accept-Language header asks for first among ours."""
    wishes: list[tuple[float, int, str]] = []
    for place, part in enumerate(accept_language.split(",")[:20]):
        name, _, weight = part.partition(";q=")
        try:
            wishes.append((-float(weight or 1), place, name.strip().lower().partition("-")[0]))
        except ValueError:
            continue
    return next((name for _, _, name in sorted(wishes) if name in LANGUAGES), DEFAULT)
