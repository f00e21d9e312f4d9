"""Tavily, a search API. It has a parameter for the country, none for the language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import httpx
import msgspec

from contentgen_adapters.shared.countries import usual_name
from contentgen_adapters.web_search.provider import Call, Provider
from contentgen_core.ports.web_search import WebQuery, WebResult

# The countries on the API's list; any other name is refused.
_COUNTRY_CODES: Final = (
    "AF AL DZ AD AO AR AM AU AT AZ BS BH BD BB BY BE BZ BJ BT BO BA BW BR BN BG BF BI KH CM CA CV CF TD CL CN CO KM CG"
    " CR HR CU CY CZ DK DJ DO EC EG SV GQ ER EE ET FJ FI FR GA GM GE DE GH GR GT GN HT HN HU IS IN ID IR IQ IE IL IT JM"
    " JP JO KZ KE KW KG LV LB LS LR LY LI LT LU MG MW MY MV ML MT MR MU MX MD MC MN ME MA MZ MM NA NP NL NZ NI NE NG KP"
    " MK NO OM PK PA PG PY PE PH PL PT QA RO RU RW SA SN RS SG SK SI SO ZA KR SS ES LK SD SE CH SY TW TJ TZ TH TG TT TN"
    " TR TM UG UA AE GB US UY UZ VE VN YE ZM ZW"
)
COUNTRIES: Final = frozenset(_COUNTRY_CODES.split())
_ITS_NAMES: Final = {
    "BN": "brunei",
    "CV": "cape verde",
    "CZ": "czech republic",
    "RU": "russia",
    "TR": "turkey",
}
_LIMITS: Final = {432: "the plan's limit is reached", 433: "the pay-as-you-go limit is reached"}


class _Row(msgspec.Struct):
    url: str | None = None
    title: str | None = None
    content: str | None = None
    published_date: str | None = None


class _Answer(msgspec.Struct):
    results: list[_Row]


def country_name(country: str) -> str | None:
    """The API's name of a country (ISO 3166-1 alpha-2); None when it is not on the API's list."""
    name = usual_name(country) if country in COUNTRIES else None
    return name and _ITS_NAMES.get(country, name.lower())


def _call(query: WebQuery, api_key: str | None) -> Call:
    body: dict[str, Any] = {
        "query": query.text,
        "topic": "general",
        "search_depth": "basic",
        "max_results": query.limit,
    }
    if query.country and (name := country_name(query.country)):
        body["country"] = name
    return Call("/search", {"Authorization": f"Bearer {api_key}"}, body=body)


def _read(content: bytes) -> Iterable[WebResult]:
    found = msgspec.json.decode(content, type=_Answer)
    return [WebResult(r.url or "", r.title or "", r.content or "", r.published_date) for r in found.results]


def _explain(response: httpx.Response) -> str | None:
    limit = _LIMITS.get(response.status_code)
    return limit and f"{limit} (HTTP {response.status_code}); raise it or use another web search"


PROVIDER: Final = Provider(
    id="tavily",
    name="Tavily",
    needs="api_key",
    address="https://api.tavily.com",
    call=_call,
    read=_read,
    explain=_explain,
)
