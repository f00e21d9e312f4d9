"""Recognise the columns of an export, in the languages that its source writes them in.

Search Console names its columns in the language of the account, and those of two periods that are compared with words
for the period before or behind the name. Matomo and Plausible name theirs in English, or as their interfaces do.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from attrs import frozen


class Column(StrEnum):
    """label: a query or a page, which the values tell."""

    QUERY = "query"
    PAGE = "page"
    LABEL = "label"
    DATE = "date"
    CLICKS = "clicks"
    VISITS = "visits"
    IMPRESSIONS = "impressions"
    POSITION = "position"


_C = Column

# Names as `fold` gives them: without accents and signs. A name that stands earlier is preferred.
_NAMES: Final[dict[Column, tuple[str, ...]]] = {
    _C.QUERY: (
        *("top queries", "query", "queries", "search query", "search queries", "search term", "keyword", "keywords"),
        *("haufigste suchanfragen", "suchanfrage", "suchanfragen", "suchbegriff", "suchbegriffe"),
        *("requetes les plus frequentes", "requete", "requetes", "mot cle", "mots cles"),
        *("consultas principales", "consulta", "consultas", "palabra clave", "palabras clave"),
        *("query principali", "chiave di ricerca", "principais consultas", "populairste zoekopdrachten"),
        *("najpopularniejsze zapytania", "上位のクエリ", "热门查询", "인기 검색어"),
    ),
    _C.PAGE: (
        *("top pages", "page", "pages", "page url", "url", "address", "landing page", "entry page"),
        *("haufigste seiten", "die haufigsten seiten", "top seiten", "seite", "seiten", "seiten url"),
        *("pages les plus populaires", "pages principales", "page de destination", "url de la page"),
        *(
            "paginas principales",
            "pagina",
            "paginas",
            "principais paginas",
            "pagine principali",
            "populairste pagina s",
        ),
        *("populairste pagina s", "najpopularniejsze strony", "上位のページ", "热门网页", "인기 페이지"),
    ),
    _C.LABEL: ("name", "label", "bezeichnung", "nom", "nombre"),
    _C.DATE: ("date", "datum", "fecha", "jour", "tag", "day", "data", "日付", "日期"),
    _C.CLICKS: (
        *("clicks", "nb clicks", "url clicks", "klicks", "clics", "clic", "cliques", "klikken", "klikniecia"),
        *("klick", "clics sur l url", "クリック数", "点击次数", "클릭수"),
    ),
    _C.VISITS: (
        *("visits", "nb visits", "entrances", "entry nb visits", "visitors", "unique visitors", "nb uniq visitors"),
        *("besuche", "besucher", "visites", "visiteurs", "visitas", "visitantes"),
    ),
    _C.IMPRESSIONS: (
        *("impressions", "nb impressions", "url impressions", "impressionen", "impresiones", "impressioni"),
        *("impressoes", "vertoningen", "wyswietlenia", "visningar", "表示回数", "展示次数", "노출수"),
    ),
    _C.POSITION: (
        *("position", "average position", "avg position", "durchschnittliche position", "position moyenne"),
        *("posicion", "posicion media", "posizione", "posizione media", "posicao", "posicao media", "positie"),
        *("pozycja", "genomsnittlig position", "掲載順位", "平均排名", "평균 게재순위"),
    ),
}
_EXACTLY: Final = {name: (column, rank) for column, names in _NAMES.items() for rank, name in enumerate(names)}
_COMPARED: Final = (_C.CLICKS, _C.IMPRESSIONS, _C.POSITION)
_FORMER: Final = (
    *("previous", "precedent", "precedents", "precedente", "precedenti", "derniere annee", "vorherig", "vorherige"),
    *("vorherigen", "vorheriger", "vorigen", "davor", "vorjahr", "anterior", "anteriores", "last year", "letztes jahr"),
    *("letzten jahres", "annee derniere", "an dernier", "ano pasado", "anno scorso"),
)
_YEAR: Final = frozenset({"year", "jahr", "jahres", "vorjahr", "annee", "an", "ano", "anno"})


@frozen
class Layout:
    """The positions of a table's columns. `now`, `before`: of the metrics of the period, and of the period that it is
    compared with, if any. `year_before`: whether that is a year earlier.
    """

    names: dict[Column, int]
    now: dict[Column, int]
    before: dict[Column, int]
    year_before: bool

    @property
    def is_of_search(self) -> bool:
        """Whether its rows are of queries or pages, with how many clicks or visits they had."""
        named = {_C.QUERY, _C.PAGE, _C.LABEL} & self.names.keys()
        return bool(named) and bool({_C.CLICKS, _C.VISITS} & self.now.keys())


def fold(text: str) -> str:
    """Lower-case words without accents and signs."""
    plain = (c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    words = "".join(c if c.isalnum() else " " for c in plain).split()
    return unicodedata.normalize("NFC", " ".join(words))


def layout_of(head: Sequence[str]) -> Layout:
    """Return the layout of a table with these columns; unknown columns are left out."""
    names: dict[Column, tuple[int, int]] = {}  # with their ranks
    metrics: dict[Column, list[tuple[int, int, str]]] = {}
    for place, text in enumerate(head):
        column, rank, period = _column(fold(text))
        if column is None:
            continue
        if column in _COMPARED or column is _C.VISITS:
            metrics.setdefault(column, []).append((place, rank, period))
        elif column not in names or rank < names[column][1]:
            names[column] = place, rank
    now, before, years = {}, {}, False
    for column, found in metrics.items():
        current, former = _two_periods(found)
        now[column] = current
        if former is not None:
            before[column], period = former
            years = years or not _YEAR.isdisjoint(period.split())
    return Layout({column: place for column, (place, _) in names.items()}, now, before, years)


def _column(name: str) -> tuple[Column | None, int, str]:
    """The column, the rank of its name, and the words for the period that stand with it."""
    if name in _EXACTLY:
        return *_EXACTLY[name], ""
    for column in _COMPARED:
        for rank, metric in enumerate(_NAMES[column]):
            if name.endswith(f" {metric}") or name.startswith(f"{metric} "):
                return column, rank, name.replace(metric, "", 1).strip()
    return None, 0, ""


def _two_periods(found: Sequence[tuple[int, int, str]]) -> tuple[int, tuple[int, str] | None]:
    """Return the position of the current column, and that of the former with its words. If no word tells them apart,
    the first is the current one.
    """
    if len(found) == 1 or not any(period for *_, period in found):
        return min(found, key=lambda one: one[1])[0], None
    former = next((one for one in found if _is_former(one[2])), found[1])
    current = next(one for one in found if one is not former)
    return current[0], (former[0], former[2])


def _is_former(period: str) -> bool:
    return any(f" {words} " in f" {period} " for words in _FORMER)
