"""The writer without a model: a sentence that needs the one before it comes right after it, or not at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.llm.extractive import ExtractiveWriter
from contentgen_adapters.llm.extractive.selection import paragraphs, select
from contentgen_adapters.llm.extractive.sentences import Sentence, SentenceReader
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article_plan import PlanSection, SourceRef
from contentgen_core.model.drafting import DraftParagraph, DraftSentence
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.ports.content_model import PlanRequest, SectionRequest
from contentgen_core.testing.builders import article_plan, kb_document, passage, ranked_passage
from contentgen_core.testing.content_model import NICHE, drafts_of, sample_brief, sample_sources

if TYPE_CHECKING:
    from contentgen_core.policies.grounding.context import Context

ANALYSIS = IcuTextAnalysis()
WRITER = ExtractiveWriter(ANALYSIS)
EN = Language.EN


def read(text: str, language: Language = EN) -> tuple[Sentence, ...]:
    return SentenceReader(ANALYSIS).usable(passage(kb_document(language=language), text, terms=()))


def texts(text: str, language: Language = EN) -> list[tuple[str, bool]]:
    return [(sentence.text, sentence.continues) for sentence in read(text, language)]


def test_what_points_back_continues_the_usable_sentence_before_it() -> None:
    text = (
        "The outdoor unit of the heat pump stands on rubber feet. In April 2022, it was moved to the garden wall. "
        "RESULTS: Rubber feet lower the vibration of the house wall. Is that enough? "
        "The two values are given by its maker every year."
    )
    assert texts(text) == [
        ("The outdoor unit of the heat pump stands on rubber feet.", False),
        ("In April 2022, it was moved to the garden wall.", True),
        ("Rubber feet lower the vibration of the house wall.", False),
    ]


def test_a_block_of_its_own_continues_nothing() -> None:
    assert texts(
        "The outdoor unit of the heat pump stands on rubber feet.\n\nIt was moved to the old garden wall."
    ) == [("The outdoor unit of the heat pump stands on rubber feet.", False)]


@pytest.mark.parametrize(("language", "back", "alone"), [
    (EN, "Three hours later, the agency upgraded the storm to a cyclone.",
     "The agency upgraded the storm to a cyclone within three hours."),
    (EN, "The third measure against ransomware is a copy off line.",
     "Third parties keep a copy of all the files off line."),
    (EN, "Halving the leakage therefore saves one kilowatt in winter.",
     "Pressing wool reduces its thickness and therefore its thermal resistance."),
    (Language.FR, "Le paiement finance en outre les attaques de l'année prochaine.",
     "Le paiement ne garantit rien à l'entreprise, donc mieux vaut s'abstenir."),
    (Language.FR, "Cela réduit aussi la facture annuelle de tout le foyer.",
     "Il faut comparer plusieurs devis avant de signer un contrat."),
    (Language.FR, "La deuxième mesure consiste à retirer les droits d'accès.",
     "La seule mesure utile consiste à retirer les droits d'accès."),
    (Language.FR, "Le lendemain, la préfecture ferma toutes les écoles.",
     "En 1994, la préfecture ferma toutes les écoles de la ville."),
    (Language.DE, "Drei Stunden später erreichte der Sturm die Küste von Jütland.",
     "Der Sturm erreichte nach drei Stunden die Küste von Jütland."),
    (Language.DE, "Die zweite Maßnahme senkt die Kosten der Heizung im Haus.",
     "Die Dämmung senkt die Kosten der Heizung im Haus."),
    (Language.ES, "Al día siguiente el gobierno cerró todas las escuelas.",
     "Tres días después de la tormenta el gobierno cerró todas las escuelas."),
    (Language.IT, "Il giorno dopo il governo chiuse tutte le scuole della città.",
     "Il governo chiuse nel 1994 tutte le scuole della città."),
    (Language.NL, "Twee jaar later werd de brug over de rivier gesloten.",
     "In 1994 werd de brug over de rivier gesloten."),
    (EN, "Behind them the coach placed two experienced linebackers of the team.",
     "Behind the line the coach placed two experienced linebackers of the team."),
    (EN, "As such, the bridge carried most of the goods of the region.",
     "The bridge carried most of the goods of such a region."),
    (EN, "The previous record was held by a player of the same town.",
     "A previous record was held by a player of the same town."),
    (Language.FR, "Derrière eux venaient les deux autres coureurs de l'équipe.",
     "Derrière le peloton venaient les deux autres coureurs de l'équipe."),
    (Language.DE, "Nach ihnen wurden zwei der drei Spieler des Vereins gewählt.",
     "Nach der Pause wurden zwei der drei Spieler des Vereins gewählt."),
    (Language.DE, "Als solche leistete die Bibel einen Beitrag zur Entwicklung der Sprache.",
     "Die Bibel leistete einen Beitrag zur Entwicklung der Sprache."),
    (Language.DE, "Nur wenige Krieger der Flotte kamen tatsächlich von dort.",
     "Nur wenige Krieger der Flotte kamen tatsächlich von der Küste."),
    (Language.ES, "Detrás de ellos llegaron dos de los tres corredores del equipo.",
     "Detrás de la línea llegaron dos de los tres corredores del equipo."),
    (Language.ES, "El récord anterior estaba en manos de un jugador de la ciudad.",
     "Un récord mundial estaba en manos de un jugador de la ciudad."),
    (Language.ES, "Posteriormente, en la final, batieron al campeón del año pasado.",
     "Los campeones batieron en la final al campeón del año pasado."),
    (Language.PT, "No dia seguinte o governo fechou todas as escolas da cidade.",
     "O governo fechou em 1994 todas as escolas da cidade."),
    (Language.FR, "Les accès distants, tels que le VPN de l'entreprise, viennent immédiatement après.",
     "Les accès distants sont fermés immédiatement après le départ d'un salarié."),
    (EN, "The radiators of the upper floor should be bled shortly after.",
     "The radiators of the upper floor should be bled shortly after the repair."),
    (EN, "The accounts of the company's administrators come next.",
     "The accounts of the company's administrators come next to nothing in price."),
    (Language.DE, "Die Prüfung der Rohre im Keller folgt unmittelbar danach.",
     "Die Prüfung der Rohre im Keller folgt unmittelbar nach dem Einbau."),
    (Language.ES, "Las cuentas de los administradores de la empresa vienen después.",
     "Las cuentas de los administradores vienen después de las copias de seguridad."),
    (Language.IT, "Gli account degli amministratori dell'azienda vengono subito dopo.",
     "Gli account degli amministratori vengono subito dopo le copie di riserva."),
    (Language.NL, "De controle van de leidingen in de kelder volgt meteen daarna.",
     "De controle van de leidingen volgt meteen na de reparatie in de kelder."),
    (Language.PT, "As contas dos administradores da empresa vêm em seguida.",
     "As contas dos administradores da empresa vêm em primeiro lugar."),
])  # fmt: skip
def test_times_and_series_point_back_as_pronouns_do(language: Language, back: str, alone: str) -> None:
    [(text, continues)] = texts(alone, language)
    assert (text, continues) == (alone, False)
    assert texts(f"{alone} {back}", language) == [(alone, False), (back, True)]


@pytest.mark.parametrize(("language", "text"), [
    (EN, "Phishing, or scam mail, is a fraud that asks for a password."),
    (Language.FR, "L'hameçonnage, ou phishing, est une fraude qui demande un mot de passe."),
    (Language.DE, "Die Dämmung, oder ihr Fehlen, bestimmt die Kosten der Heizung."),
    (Language.ES, "El aislamiento, o su falta, decide el coste de la calefacción."),
])  # fmt: skip
def test_a_second_name_of_a_thing_is_no_word_for_what_stood_before(language: Language, text: str) -> None:
    assert texts(text, language) == [(text, False)]


def test_a_mark_of_the_byte_order_is_no_part_of_a_sentence() -> None:
    text = "The outdoor unit of the heat pump stands on rubber feet."
    assert texts(f"\ufeff{text}") == [(text, False)]


def test_a_continuation_is_selected_after_what_it_continues_alone() -> None:
    first, second, third = read(
        "The outdoor unit of the heat pump stands on rubber feet. It makes little noise on a wall of brick. "
        "Neighbours hear the fan of a heat pump at night."
    )
    weights = dict.fromkeys(second.terms, 5.0)
    assert select([second, third], weights, 100) == [third]
    chosen = select([first, second, third], weights, 100)
    assert chosen.index(second) > chosen.index(first)


@frozen
class Misreading:
    """A context in which sentences with a word are misread under a heading."""

    word: str

    def is_on_a_rival(self, text: str) -> bool:
        return False

    def part_of(self, ref: SourceRef) -> None:
        return None

    def misread(self, paragraph: DraftParagraph, heading: str) -> list[DraftSentence]:
        return [s for s in paragraph.sentences if heading and self.word in s.text]


async def test_what_continues_a_sentence_that_is_misread_goes_with_it() -> None:
    held = passage(
        kb_document(),
        "Rubber feet carry the outdoor unit of the pump. Neighbours hear the fan of the outdoor unit at night. "
        "It makes more noise on a wall of brick. A hedge lowers the noise of the outdoor unit.",
        terms=(),
    )
    plan = article_plan(sections=(PlanSection("Noise", source_ids=(held.ref,), target_words=200),), faq=())
    request = SectionRequest(sample_brief(), plan, plan.sections[0], 0, (held,))
    whole = (await WRITER.write_section(request)).sentences
    assert [s.text for s in whole if s.continues] == ["It makes more noise on a wall of brick."]
    misread = cast("Context", Misreading("Neighbours"))
    left = (await WRITER.write_section(evolve(request, context=misread))).sentences
    assert [s.text for s in left] == [s.text for s in whole if "Neighbours" not in s.text and not s.continues]


def test_a_long_paragraph_is_not_cut_before_a_continuation() -> None:
    text = " ".join(
        f"{'It' if n % 2 else f'Radiator {n}'} gives the room number {n} enough heat in winter." for n in range(6)
    )
    halves = paragraphs(read(text))
    assert len(halves) == 2
    assert not any(half[0].continues for half in halves)


@pytest.mark.parametrize("language", [EN, Language.FR])
@pytest.mark.parametrize("length", ArticleLength)
async def test_in_an_article_each_follows_what_it_follows_in_its_source(
    language: Language, length: ArticleLength
) -> None:
    await _follow(language, length, sample_sources(language))


_STATEMENTS = st.sampled_from(
    [
        "A heat pump in the cellar moves heat into the house {n}.",
        "It also heats the water of the family in house {n}.",
        "However, the noise of the fan reaches the wall {n}.",
        "Radiators of the old house need 50 °C in room {n}.",
        "The second radiator gives less heat to room {n}.",
        "Is the house warm enough in winter {n}?",
    ]
)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(_STATEMENTS, min_size=1, max_size=8), min_size=1, max_size=4))
async def test_in_any_article_each_follows_what_it_follows_in_its_source(stated: list[list[str]]) -> None:
    sources = tuple(
        ranked_passage(
            passage(kb_document(id=f"d{i}"), " ".join(s.format(n=f"{i}{j}") for j, s in enumerate(each)), terms=())
        )
        for i, each in enumerate(stated)
    )
    await _follow(EN, ArticleLength.SHORT, sources)


async def _follow(language: Language, length: ArticleLength, sources: tuple[RankedPassage, ...]) -> None:
    asked = sample_brief(length, language)
    held = {source.ref: _words(source.passage.text) for source in sources}
    plan = (await WRITER.plan(PlanRequest(asked, NICHE, sources))).value
    for _, draft in await drafts_of(WRITER, asked, plan, sources):
        for paragraph in draft.paragraphs:
            for at, sentence in enumerate(paragraph.sentences):
                if sentence.continues:
                    assert not paragraph.bullets
                    assert at > 0
                    assert _together(paragraph.sentences[at - 1], sentence) in held[sentence.sources[0]]


def _together(before: DraftSentence, sentence: DraftSentence) -> str:
    return " ".join((" ".join(_words(before.text).split()[-2:]), _words(sentence.text)))


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", re.sub(r"\([^()]*\)", "", text)))
