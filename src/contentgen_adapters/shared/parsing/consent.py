"""Detects cookie banners and consent walls by their class names and wording."""

from __future__ import annotations

import re
from typing import Any, Final

_NAMES: Final = re.compile(
    r"onetrust|cookiebot|cybotcookie|didomi|usercentrics|\bqc-cmp|sp_message_container|truste[-_]|trustarc|fc-consent"
    r"|cc-window|klaro|borlabs|iubenda-cs|cookie[-_]?(?:banner|consent|notice|bar|law|wall|info)"
    r"|cookie[-_]?(?:popup|pop-up|modal|dialog)"
    r"|(?:gdpr|consent)[-_]?(?:banner|wall|notice|modal|popup|dialog|overlay|container)"
)
_MAX_LETTERS: Final = 6_000  # an element with more is the page itself, which gets such a class until consent is given
_COOKIE: Final = (
    r"cookie|k[ea]ks(?:e|id|i)|evästei|sütik|ciastecz|куки|кукі|クッキー|쿠키|عوگی|ملفات تعريف الارتباط|עוגיות"
    r"|कुकी|คุกกี้|çerez|gdpr|rgpd|dsgvo"
)
_CHOICE: Final = (
    r"accept|agree|consent|allow|reject|refus|declin|opt.out|preference|akzept|zustimm|einverstanden|einwillig|ablehn"
    r"|consenti|acept|rechaz|accett|rifiut|aceit|recus|weiger|toestemm|instemm|zgadza|zgod|akcept|souhlas|přijm|odmít"
    r"|godkän|godta|godkend|samtyck|samtykk|tillåt|hyväks|elfogad|принят|приня|соглас|прийня|погодж|kabul|onay|同意|接受"
    r"|許可|동의|허용|موافق|قبول|הסכ|אישור|स्वीकार|ยอมรับ|chấp nhận|đồng ý|setuju|terima"
)
_COOKIES: Final = re.compile(_COOKIE)  # for lower-cased text: a case-insensitive pattern takes many times as long
_CHOICES: Final = re.compile(_CHOICE)


def drop_consent(tree: Any) -> None:
    """Removes the elements of known consent tools from a tree of lxml.html."""
    for element in [
        element for element in tree.iter("div", "section", "aside", "dialog", "form") if _is_named(element)
    ]:
        if element.getparent() is not None and len(element.text_content()) <= _MAX_LETTERS and not _holds_page(element):
            element.drop_tree()


def _is_named(element: Any) -> bool:
    names = f"{element.get('id', '')[:300]} {element.get('class', '')[:300]}".lower()
    return _NAMES.search(names) is not None


def _holds_page(element: Any) -> bool:
    return next(element.iter("article", "main", "h1"), None) is not None


def asks_for_consent(paragraph: str) -> bool:
    """Whether a paragraph asks to accept or refuse cookies, in any of the 28 languages."""
    words = paragraph[:2_000].casefold()
    return _COOKIES.search(words) is not None and _CHOICES.search(words) is not None
