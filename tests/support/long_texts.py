"""Long texts of one kind each, and what is done with them, to see that what a text costs grows as its length does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final

from contentgen_adapters.rendering.content import content_html
from contentgen_core.errors import InvalidInput
from contentgen_core.model.article import Article
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.voice.measure import measure
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.articles.verify_text import GivenSource, VerifyTextCommand
from tests.support.house import House

SHORT: Final = 300
TIMES: Final = 3
LIMIT: Final = 6.0
"""Times what the short text costs that the long one may: between three, and nine as of what grows with the square."""

Operation = Callable[[str], Awaitable[None]]

KINDS: Final[Mapping[str, Callable[[int], str]]] = {
    "cited sentences": lambda n: "It is 1 [1]. " * (n // 13),
    "cited different": lambda n: " ".join(f"Pump {i} is efficient [1]." for i in range(n // 28)),
    "cited dates": lambda n: " ".join(f"{1000 + i % 1000}-{i % 12 + 1:02}-{i % 28 + 1:02} [1]" for i in range(n // 15)),
    "unsourced": lambda n: "It is so (unsourced). " * (n // 22),
    "quoted cited": lambda n: '"It is so" [1]. ' * (n // 16),
    "long quote": lambda n: 'He said "' + "a b " * (n // 4) + '".',
    "one cited long": lambda n: "pump " * (n // 5) + "[1].",
    "paragraphs": lambda n: "It is so.\n\n" * (n // 11),
    "fences": lambda n: "".join("`" * (3 + i % 40) + "\n" for i in range(n // 24)),
    "if sentences": lambda n: "If it is so, it may not be. " * (n // 28),
    "who sentences": lambda n: "He is it. She was they. " * (n // 24),
    "doses": lambda n: "5 mg/day " * (n // 9),
    "ranges": lambda n: "5–6 " * (n // 4),
    "times": lambda n: "10:30 " * (n // 6),
    "emails": lambda n: "a@b.example " * (n // 12),
    "versions": lambda n: "1.2.3.4 " * (n // 8),
    "greek": lambda n: "α-SMA " * (n // 6),
    "possessive": lambda n: "Ada's " * (n // 6),
    "roman": lambda n: "XIV " * (n // 4),
    "semicolons": lambda n: "a; b; " * (n // 6),
    "tabs": lambda n: "\t" * n + "a",
    "nbsp": lambda n: "a" + "\u00a0" * n + "b",
    "nbsp cite": lambda n: "a" + "\u00a0" * n + "[b",
    "ws cites": lambda n: ("a" + " " * 200 + "[b] ") * (n // 206),
    "heading long": lambda n: "# " + "pump " * (n // 5),
    "setext": lambda n: "a\n=\n" * (n // 4),
    "footnotes": lambda n: "[^1] " * (n // 5),
    "refs": lambda n: "[a]: b\n" * (n // 7),
    "emoji": lambda n: "😀 " * (n // 2),
    "arabic": lambda n: "مضخة حرارية ٣ " * (n // 14),
    "thai": lambda n: "ปั๊มความร้อน" * (n // 12),
    "japanese": lambda n: "ヒートポンプは3年。" * (n // 10),
    "german compounds": lambda n: "Wärmepumpenanlagen-" * (n // 19),
    "iso dates": lambda n: " ".join(f"{1000 + i % 1000}-{i % 12 + 1:02}-{i % 28 + 1:02}" for i in range(n // 11)),
    "dotted dates": lambda n: " ".join(f"{i % 28 + 1}.{i % 12 + 1}.{1900 + i % 100}" for i in range(n // 10)),
    "month dates": lambda n: ", ".join(f"{i % 28 + 1} January {1000 + i}" for i in range(n // 17)),
    "numbers": lambda n: " ".join(str(i) for i in range(n // 6)),
    "same number": lambda n: "7 " * (n // 2),
    "units": lambda n: " ".join(f"{i} kg" for i in range(n // 8)),
    "spelled numbers": lambda n: "two three four " * (n // 15),
    "names": lambda n: (
        "He saw "
        + " ".join(f"Xa{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676 % 26)}" for i in range(n // 6))
    ),
    "codes": lambda n: "It is " + " ".join(f"AB{i}C" for i in range(n // 8)),
    "hyphen codes": lambda n: "It is " + " ".join(f"CT-{i}" for i in range(n // 8)),
    "joined code": lambda n: "It is " + "-".join(f"A{i}" for i in range(n // 6)),
    "abbreviations": lambda n: "we know chronic kidney disease (CKD) " * (n // 37),
    "brackets abc": lambda n: "(abc) " * (n // 6),
    "negations": lambda n: "not " * (n // 4),
    "no not": lambda n: "it is not never no " * (n // 19),
    "comparatives": lambda n: "more than less than " * (n // 20),
    "urls": lambda n: " ".join(f"https://a.example/{i}?b=c" for i in range(n // 27)),
    "long url": lambda n: "https://a.example/" + "a/" * (n // 2),
    "citations": lambda n: "A heat pump [1]" * 1 + "[1]" * (n // 3),
    "citations spaced": lambda n: "word [1] " * (n // 9),
    "brackets": lambda n: "[" * n,
    "parens": lambda n: "(" * n,
    "balanced": lambda n: "(" * (n // 2) + ")" * (n // 2),
    "hyphens": lambda n: "a-" * (n // 2),
    "dashes": lambda n: "-" * n,
    "underscores": lambda n: "_" * n,
    "stars": lambda n: "*a " * (n // 3),
    "star runs": lambda n: "*" * n,
    "one word": lambda n: "a" * n,
    "one word upper": lambda n: "A" * n,
    "one digit word": lambda n: "1" * n,
    "digits dots": lambda n: "1." * (n // 2),
    "grouped": lambda n: "1" + ",000" * (n // 4),
    "repeated sentence": lambda n: "The heat pump keeps an efficiency of 3 in winter. " * (n // 50),
    "different sentences": lambda n: " ".join(
        f"The heat pump number {i} keeps an efficiency in winter." for i in range(n // 55)
    ),
    "quotes": lambda n: '"a" ' * (n // 4),
    "open quotes": lambda n: '"' * n,
    "guillemets": lambda n: "«a» " * (n // 4),
    "curly": lambda n: "“" * n,
    "table": lambda n: "|a|b|\n|-|-|\n" + "|1|2|\n" * (n // 6),
    "wide table": lambda n: "|a" * (n // 6) + "|\n" + "|-" * (n // 6) + "|\n" + "|1" * (n // 6) + "|\n",
    "list": lambda n: "- a\n" * (n // 4),
    "nested list": lambda n: "".join(" " * min(i * 2, 60) + "- a\n" for i in range(n // 60)),
    "quote blocks": lambda n: ">" * n,
    "headings": lambda n: "# a\n" * (n // 4),
    "commas": lambda n: "a, " * (n // 3),
    "words": lambda n: " ".join(
        f"w{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676 % 26)}" for i in range(n // 5)
    ),
    "same word": lambda n: "pump " * (n // 5),
    "spaces": lambda n: "a" + " " * n + "b",
    "newlines": lambda n: "a\n" * (n // 2),
    "dots": lambda n: "." * n,
    "ellipses": lambda n: "a... " * (n // 5),
    "questions": lambda n: "a?" * (n // 2),
    "apostrophes": lambda n: "l'a " * (n // 4),
    "combining": lambda n: "a" + "\u0301" * n,
    "chinese": lambda n: "热泵" * (n // 2),
    "chinese sentences": lambda n: "热泵。" * (n // 3),
    "mixed": lambda n: "A热1" * (n // 3),
    "html": lambda n: "<i>" * (n // 3),
    "entities": lambda n: "&amp;" * (n // 5),
    "backticks": lambda n: "`" * n,
    "links": lambda n: "[a](b)" * (n // 6),
    "images": lambda n: "![a](b)" * (n // 7),
    "slashes": lambda n: "and/or/" * (n // 7),
    "initials": lambda n: "A. B. " * (n // 6),
    "percent": lambda n: "5 % " * (n // 4),
    "per": lambda n: "5 per " * (n // 6),
    "years": lambda n: "in 2001 and " * (n // 12),
    "if": lambda n: "if only because although " * (n // 25),
    "capital phrase": lambda n: "He met " + "The Great " * (n // 10),
    "quoted space": lambda n: '"a' + "\u00a0" * n + "b",
    "dots and a word": lambda n: "a" + "." * n + "b",
    "quoted dots": lambda n: '"a' + "." * n + 'b" [1].',
    "open tag": lambda n: "<" + "a" * n,
    "attribute": lambda n: "<a " + "b" * n + ">",
}
"""By a name: makes a text of about so many characters."""


def operations(house: House, article: Article) -> dict[str, Operation]:
    """Return what the service does with a text, by a name."""
    writing = house.services.writing

    async def verify(text: str, source: str) -> None:
        with suppress(InvalidInput):  # of signs alone
            await writing.verify_text(VerifyTextCommand(text, sources=(GivenSource(source),), language=Language.EN))

    async def edit(text: str) -> None:
        with suppress(InvalidInput):
            await writing.edit(EditArticleCommand(house.caller, article.id, content=text))

    async def render(text: str) -> None:
        content_html(text, frozenset({1}))

    async def voice(text: str) -> None:
        measure([text], Language.EN, house.services.ports.analysis)

    return {
        "verify against itself": lambda text: verify(text, text),
        "verify against others": lambda text: verify(text, text.replace("1", "3").replace("a", "e")),
        "be verified against": lambda text: verify("In 2001 the pump weighs 3 kg, not 4, says AB-1 (abc).", text),
        "edit": edit,
        "render": render,
        "voice": voice,
    }
