"""Reading some places of a text tells the language that reading all of it tells."""

from __future__ import annotations

from typing import Final
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.text import language as told
from contentgen_core.model.vocabulary import Language
from contentgen_core.testing.text_samples import SENTENCES

DETECTOR: Final = told.LangidDetector()
LONG: Final = {
    Language.EN: "A heat pump moves heat from the air outside into a house. In winter it works harder, since there is "
    "less warmth to be had, and it defrosts its outdoor unit from time to time. Whoever lowers the temperature of the "
    "water that flows through the radiators raises what comes of every unit of electricity. Old houses are no obstacle "
    "if their windows are tight and their walls do not let the cold in. The price of a pump depends on its size, and "
    "its size on the coldest day of the year. Neighbours hear little of it when it stands away from their bedrooms. "
    "Grants pay a part of the cost where an oil boiler goes. The installer measures the loss of heat in each room "
    "before anybody orders anything, and writes down what he found so that others may check it.",
    Language.FR: "Une pompe à chaleur prend la chaleur de l'air extérieur et la rend dans la maison. En hiver elle "
    "travaille davantage, car il y a moins de chaleur à prendre, et elle dégivre de temps en temps son unité "
    "extérieure. Celui qui baisse la température de l'eau dans les radiateurs obtient plus de chaque unité "
    "d'électricité. Les vieilles maisons ne sont pas un obstacle si leurs fenêtres ferment bien et si leurs murs "
    "retiennent la chaleur. Le prix dépend de la puissance, et la puissance du jour le plus froid de l'année. Les "
    "voisins l'entendent peu quand elle est loin de leurs chambres. Des aides paient une partie du prix quand une "
    "chaudière au fioul s'en va. L'installateur mesure les pertes de chaque pièce avant toute commande.",
}


def read_whole(text: str) -> Language:
    with patch.object(told, "_SURE", float("inf")):
        return DETECTOR.detect(text)


@given(st.lists(st.tuples(st.sampled_from(Language), st.integers(1, 40)), min_size=1, max_size=4))
@settings(deadline=None)
def test_texts_in_one_language_or_several(blocks: list[tuple[Language, int]]) -> None:
    text = " ".join(sentence for language, times in blocks for sentence in SENTENCES[language] * times)
    assert DETECTOR.detect(text) is read_whole(text)


@given(st.integers(0, 700), st.integers(0, 700), st.booleans())
@settings(deadline=None)
def test_a_text_that_goes_on_in_another_language(one: int, other: int, turned: bool) -> None:
    first, second = list(LONG.values())[:: -1 if turned else 1]
    text = first[:one] + "\n" + second[:other] + "\n" + first
    assert DETECTOR.detect(text) is read_whole(text)


@pytest.mark.parametrize("language", LONG)
def test_of_a_text_without_doubt_the_rest_is_not_read(language: Language) -> None:
    text = LONG[language] * 2
    with patch.object(told._model().__class__, "classify", side_effect=AssertionError("read as a whole")):
        assert DETECTOR.detect(text) is language
