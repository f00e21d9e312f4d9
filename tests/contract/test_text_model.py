"""A model that answers a text with a text writes articles."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from contentgen_adapters.llm.text_model import TextModelWriter
from contentgen_core.errors import NotFound, ProviderFailed
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_grounded import write
from tests.contract.model_server import ModelServer, fenced_part

NOTES = [
    SourceText("n1", "Tea", "Green tea is steeped at 80 °C. Black tea is steeped at 95 °C."),
    SourceText("n2", "Tea water", "Water for green tea stays below 85 °C. Soft water suits tea best."),
]


class Model:
    """Answers as it is told, with a method that is no coroutine."""

    def __init__(self, answer: Callable[[str], Any]) -> None:
        self.prompts: list[str] = []
        self._answer = answer

    def answer(self, prompt: str) -> Any:
        self.prompts.append(prompt)
        return self._answer(prompt)


class Copying:
    """Writes sentences of the sources, as a model would that keeps close to them."""

    name = "copying"

    def __init__(self) -> None:
        self.server = ModelServer()

    async def answer(self, prompt: str) -> str:
        answer = json.loads(self.server.answer_in_words(prompt))
        for paragraph in answer.get("paragraphs", ()):
            for sentence in paragraph["sentences"]:
                label = sentence["sources"][0]
                sentence["text"] = fenced_part(prompt, f"SOURCE {label}").splitlines()[-1].partition(". ")[0] + "."
        return json.dumps(answer)


def test_a_program_writes_with_one_method() -> None:
    article = write("Steeping green tea", NOTES, model=Copying(), allow_low_coverage=True)
    assert article.status is ArticleStatus.GENERATED
    assert "Green tea is steeped at 80 °C" in article.content
    assert article.usage is not None
    assert article.usage.model == "copying"
    assert article.grounding is not None
    assert article.grounding.totals.citation_recall == 1.0


async def test_a_plain_method_is_asked_with_the_schema_in_words() -> None:
    model = Model(lambda _: '{"text": "Tea is steeped."}')
    answer = await TextModelWriter(model).summarise("Tea is steeped in hot water.", Language.EN, 10)
    assert (answer.value, answer.usage.model) == ("Tea is steeped.", "Model")
    assert "Answer with one JSON object of this JSON schema" in model.prompts[0]
    assert "Tea is steeped in hot water." in model.prompts[0]


async def test_an_invalid_answer_is_sent_back_with_its_fault() -> None:
    answers = iter(["I cannot do that.", '{"text": "Tea."}'])
    model = Model(lambda _: next(answers))
    assert (await TextModelWriter(model).summarise("Tea.", Language.EN, 10)).value == "Tea."
    assert "You answered:\n\nI cannot do that." in model.prompts[1]
    assert "not a JSON object" in model.prompts[1]


@pytest.mark.parametrize(
    ("error", "retryable"), [(ConnectionResetError("away"), True), (TimeoutError(), True), (KeyError("choices"), False)]
)
async def test_what_a_model_raises_is_a_provider_that_failed(error: Exception, retryable: bool) -> None:
    def fail(_: str) -> str:
        raise error

    with pytest.raises(ProviderFailed, match=type(error).__name__) as failed:
        await TextModelWriter(Model(fail)).summarise("Tea.", Language.EN, 10)
    assert failed.value.retryable is retryable


async def test_an_answer_that_is_no_text_is_said_so() -> None:
    with pytest.raises(ProviderFailed, match="answered with a dict, not a text"):
        await TextModelWriter(Model(lambda _: {"text": "Tea."})).summarise("Tea.", Language.EN, 10)


async def test_errors_of_our_own_pass() -> None:
    def fail(_: str) -> str:
        raise NotFound("model", "x")

    with pytest.raises(NotFound):
        await TextModelWriter(Model(fail)).summarise("Tea.", Language.EN, 10)
