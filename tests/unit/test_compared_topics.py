"""Topics that name several places or products, written without a model: a part for each of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from contentgen_core.model.article import Article
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.ports.documents import SourceText
from contentgen_grounded.bootstrap.memory import in_memory
from contentgen_grounded.writing import write_article

BUSES = {
    "Quorn": "The night bus N4 in Quorn runs every 40 minutes from 23:00 to 04:20 on Fridays. It leaves from Station"
    " Road and ends at the Market Square. A single ticket in Quorn costs 3.20 pounds and is sold by the driver. Dogs"
    " travel free on the night buses of Quorn.",
    "Thirsk": "In Thirsk the night bus 71 runs hourly from 22:30 to 02:30, every day but Sunday. The stop at the"
    " Racecourse in Thirsk is served on request only. A night ticket costs 4 pounds and is bought in the app. The buses"
    " of Thirsk take two wheelchairs each.",
    "Selby": "The night bus of Selby runs twice, at 23:15 and at 01:45, on Saturdays alone. It is free for holders of a"
    " rail ticket of that day. In Selby the driver sells no tickets at all. Bicycles are taken on the rear rack.",
}
HEATERS = {
    "Borea 7": "The Borea 7 heats 120 square metres with 6 kilowatts. Its warranty covers ten years for all parts."
    " The outdoor unit weighs 98 kilograms. The Borea 7 is quiet, with 45 decibels at one metre.",
    "Calor 300": "The Calor 300 heats 90 square metres with 4 kilowatts. The warranty of the compressor"
    " covers five years. The indoor unit"
    " fits below a staircase. The Calor 300 needs a service every second year.",
    "Ventus X2": "The Ventus X2 heats 200 square metres with 11 kilowatts. It is delivered in two parts of 70 kilograms"
    " each. The warranty covers seven years. The Ventus X2 can cool in summer as well.",
}


async def written(
    topic: str,
    sources: dict[str, str],
    title: str,
    language: Language = Language.EN,
    *,
    allow_low_coverage: bool = False,
) -> Article:
    texts = [
        SourceText(f"n{n}", title.format(name), text, language=language)
        for n, (name, text) in enumerate(sources.items())
    ]
    async with in_memory() as services:
        return await write_article(
            services,
            topic,
            texts,
            language=language,
            length=ArticleLength.SHORT,
            allow_low_coverage=allow_low_coverage,
        )


def parts(article: Article) -> dict[str, str]:
    """The text below each heading."""
    found = re.split(r"^## (.*)$", article.content, flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))


def check(article: Article, sources: dict[str, str], names: Sequence[str]) -> None:
    """A part for each name, in this order, in which nothing of another source stands; and most of each source."""
    of_names = {heading: text for heading, text in parts(article).items() if any(name in heading for name in names)}
    assert [next(name for name in names if name in heading) for heading in of_names] == list(names)
    for name, text in zip(names, of_names.values(), strict=True):
        sentences = [
            re.sub(r'\s*\[\d+\][.!]?|[“”„"«»\u00a0]', "", s).strip() for s in re.split(r"(?<=\])[.!]?\s", text)
        ]
        for sentence in filter(None, sentences):
            assert sentence.rstrip(".")[:25] in sources[name], (name, sentence)
    for name in names:
        said = [s for s in re.split(r"(?<=\.)\s", sources[name]) if s.rstrip(".")[:25] in article.content]
        assert len(said) >= 3, (name, article.content)
    assert len(article.sources) == len(names)


@pytest.mark.parametrize(
    ("topic", "names"),
    [
        ("Night buses in Quorn and Thirsk", ["Quorn", "Thirsk"]),
        ("Night buses in Thirsk and Quorn", ["Thirsk", "Quorn"]),
        ("Quorn versus Thirsk: night buses", ["Quorn", "Thirsk"]),
        ("Night buses in Quorn, Thirsk and Selby", ["Quorn", "Thirsk", "Selby"]),
        ("Night buses in Selby or Thirsk", ["Selby", "Thirsk"]),
    ],
)
async def test_each_place_of_a_topic_gets_its_part(topic: str, names: list[str]) -> None:
    article = await written(topic, BUSES, "Night buses in {}")
    check(article, BUSES, names)


async def test_each_product_of_a_topic_gets_its_part() -> None:
    check(
        await written("The heaters Borea 7 and Calor 300", HEATERS, "The heater {}"), HEATERS, ["Borea 7", "Calor 300"]
    )


@pytest.mark.parametrize(
    ("language", "topic", "title", "sources"),
    [
        (
            Language.FR,
            "Les bus de nuit à Quimper et à Morlaix",
            "Les bus de nuit à {}",
            {
                "Quimper": "À Quimper, le bus de nuit N4 passe toutes les 40 minutes de 23 h à 4 h le vendredi. Le"
                " billet"
                " coûte 3 euros et se prend auprès du conducteur. Les chiens voyagent gratuitement dans les bus de"
                " Quimper. L’arrêt de la gare est desservi toute la nuit.",
                "Morlaix": "À Morlaix, le bus de nuit 71 passe chaque heure de 22 h 30 à 2 h 30, sauf le dimanche. Le"
                " billet de nuit coûte 4 euros et s’achète dans l’application. Les bus de Morlaix prennent"
                " deux fauteuils"
                " roulants. L’arrêt du viaduc est desservi sur demande seulement.",
            },
        ),
        (
            Language.DE,
            "Nachtbusse in Gifhorn und Stendal",
            "Nachtbusse in {}",
            {
                "Gifhorn": "In Gifhorn fährt der Nachtbus N4 freitags alle 40 Minuten von 23 bis 4 Uhr. Eine Fahrkarte"
                " kostet 3 Euro und wird beim Fahrer gekauft. Hunde fahren in den Nachtbussen von Gifhorn"
                " kostenlos mit."
                " Die Haltestelle am Bahnhof wird die ganze Nacht bedient.",
                "Stendal": "In Stendal fährt der Nachtbus 71 stündlich von 22.30 bis 2.30 Uhr, außer am Sonntag. Eine"
                " Nachtkarte kostet 4 Euro und wird in der App gekauft. Die Busse von Stendal nehmen je zwei Rollstühle"
                " mit. Die Haltestelle am Dom wird nur auf Wunsch bedient.",
            },
        ),
        (
            Language.ES,
            "Autobuses nocturnos en Teruel y Huesca",
            "Autobuses nocturnos en {}",
            {
                "Teruel": "En Teruel el autobús nocturno N4 pasa los viernes cada 40 minutos de 23 a 4 horas. El"
                " billete"
                " cuesta 3 euros y lo vende el conductor. Los perros viajan gratis en los autobuses de"
                " Teruel. La parada"
                " de la estación tiene servicio toda la noche.",
                "Huesca": "En Huesca el autobús nocturno 71 pasa cada hora de 22:30 a 2:30, salvo el domingo. El"
                " billete"
                " nocturno cuesta 4 euros y se compra en la aplicación. Los autobuses de Huesca llevan dos sillas de"
                " ruedas. La parada de la catedral funciona solo a petición.",
            },
        ),
    ],
)
async def test_each_place_gets_its_part_in_other_languages(
    language: Language, topic: str, title: str, sources: dict[str, str]
) -> None:
    check(await written(topic, sources, title, language), sources, list(sources))


async def test_a_place_that_no_source_knows_is_named_as_missing() -> None:
    article = await written(
        "Night buses in Quorn, Thirsk and Whitby", BUSES, "Night buses in {}", allow_low_coverage=True
    )
    assert article.coverage is not None
    assert "whitby" in [term.casefold() for term in article.coverage.missing]
    assert not any("Selby" in heading for heading in parts(article))
    check(article, BUSES, ["Quorn", "Thirsk"])


async def test_a_topic_on_one_place_says_nothing_of_the_others() -> None:
    article = await written("Night buses in Quorn", BUSES, "Night buses in {}")
    assert "Quorn" in article.content
    assert not any(name in article.content for name in ("Thirsk", "Selby"))
    assert len(article.sources) == 1
