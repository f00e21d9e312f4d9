"""What became of posts, tests of targets and texts beside a voice, in the languages of the console."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import permutations, product
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import contentgen_adapters
import contentgen_adapters.publishing
import contentgen_core.use_cases
from contentgen_adapters.shared.outgoing.errors import AddressRefused
from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.ids import VoiceId
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import ChosenVoice, Features, Formality, Person, Spelling
from contentgen_core.policies.articles import publication_check
from contentgen_core.policies.voice.deviations import deviations
from contentgen_core.use_cases.publishing import deliver
from contentgen_http.console.faults import MOST_CHARACTERS, language_of_outcome, said_outcome
from contentgen_http.console.texts import texts_in
from contentgen_http.texts import DEFAULT, LANGUAGES

OTHERS: Final = [language for language in LANGUAGES if language != DEFAULT]
PUBLISHING: Final = Path(contentgen_adapters.publishing.__file__).parent
USE_CASES: Final = Path(contentgen_core.use_cases.__file__).parent
RAISED: Final = {
    "PublishFailed": (1, ""),
    "with_reason": (2, ""),
    "invalid": (0, ""),
    "_picture_failure": (1, "the picture "),
}
"""What makes a failure of a target, with the place of its message and what comes before that."""
ADAPTERS: Final = Path(contentgen_adapters.__file__).parent
READERS: Final = ("documents", "pages", "shared/outgoing", "shared/parsing", "shared/processes")
REFUSED: Final = {
    "unreadable": (1, "{}"),
    "_invalid_line": (2, "line 7 is {}."),
    "_scan": (1, "{}, only images (a scan?). Run OCR on it first."),
    "ExtractionRefused": (1, "{}"),
    "FetchFailed": (1, "{}"),
    "AddressRefused": (0, "{}"),
    "UnknownHost": (0, "{}"),
    "TookTooLong": (0, "the page {}"),
    "TookTooMuch": (0, "the file {}. Split it, or save it in another format."),
    "ProcessDied": (0, "the file {}. Split it, or save it in another format."),
    "PoolBusy": (0, "{}; try again later"),
}
"""The same of readers, with what stands around the message."""
MADE_OF_OTHERS: Final = {"the page 7", "line 7 is 7.", "7 is not public (7); an operator can allow it in 7"}
"""Messages that hold others, which are looked at by themselves."""


def of_targets() -> Iterator[tuple[str, str]]:
    """The name of each file, and each message that stands in it for a person; `7` is what is put into it."""
    for file in sorted(PUBLISHING.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id=name), args=args) if name in RAISED:
                    place, before = RAISED[name]
                    yield from ((file.name, before + text) for text in _texts(args[place]))
                case ast.AsyncFunctionDef(name="test", body=body):
                    for inner in (inner for statement in body for inner in ast.walk(statement)):
                        if isinstance(inner, ast.Return) and inner.value is not None:
                            yield from ((file.name, text) for text in _texts(inner.value))


def of_jobs() -> Iterator[tuple[str, str]]:
    """The same of the reasons for which jobs fail, but for the one that names two states."""
    for file in sorted(USE_CASES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="JobFailed"), args=[message, *_]):
                    for text in _texts(message):
                        if "has the post as" not in text:
                            yield file.name, text


def of_readers() -> Iterator[tuple[str, str]]:
    """The same of what readers of files and pages refuse, as it stands behind the name or address."""
    for file in sorted(file for part in READERS for file in (ADAPTERS / part).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id=name), args=args) if name in REFUSED:
                    place, around = REFUSED[name]
                    said = (around.format(text) for text in _texts(args[place]))
                    yield from ((file.name, message) for message in said if message not in MADE_OF_OTHERS)


def _texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            found = text
        case ast.JoinedStr(values=parts):
            found = "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in parts)
        case ast.IfExp(body=one, orelse=other):
            yield from (*_texts(one), *_texts(other))
            return
        case _:
            return
    if any(sign in string.ascii_letters for sign in found):
        yield found


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(("file", "message"), sorted(set(of_targets())))
def test_what_a_target_says_is_said_in_the_language_of_the_page(file: str, message: str, language: str) -> None:
    texts = texts_in(language)
    assert said_outcome(message, texts) != message, file
    assert said_outcome(f"WordPress: {message}", texts) != f"WordPress: {message}"
    assert language_of_outcome(message, texts) == language


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(("file", "message"), sorted(set(of_jobs())))
def test_why_a_job_failed_is_said_in_the_language_of_the_page(file: str, message: str, language: str) -> None:
    assert said_outcome(message, texts_in(language)) != message, file


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(("file", "message"), sorted(set(of_readers())))
def test_why_a_file_or_a_page_was_not_read_is_said_in_the_language_of_the_page(
    file: str, message: str, language: str
) -> None:
    texts = texts_in(language)
    assert said_outcome(message, texts) != message, file
    name = "offer.pdf" if message.endswith(".") else "https://example.com/a"
    assert said_outcome(f"{name}: {message}", texts) == f"{name}: {said_outcome(message, texts)}"


@pytest.mark.parametrize("language", OTHERS)
def test_an_address_that_is_not_public_is_said_in_the_language_of_the_page(language: str) -> None:
    with pytest.raises(AddressRefused) as refused:
        AddressGuard().check("http://127.0.0.1/feed")
    message = f"its address is refused: {refused.value}"
    shown = said_outcome(message, texts_in(language))
    assert "127.0.0.1" in shown
    assert "is not public" in message
    assert "is not public" not in shown


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(("seen", "asked"), list(permutations(PostStatus, 2)))
def test_another_state_than_was_asked_for_is_said_in_the_language_of_the_page(
    seen: PostStatus, asked: PostStatus, language: str
) -> None:
    message = f"Ghost has the post as {seen}, not {asked}: may the account publish there?"
    assert language_of_outcome(message, texts_in(language)) == language


def test_the_messages_of_targets_are_found() -> None:
    assert len(set(of_targets())) > 60
    assert len(set(of_jobs())) > 20
    assert len(set(of_readers())) > 60
    assert {"pdf.py", "docx.py", "catalog.py", "guard.py", "pool.py", "content.py"} <= {f for f, _ in of_readers()}
    assert {"ghost.py", "notion.py", "target.py", "wordpress.py", "zapier.py"} <= {file for file, _ in of_targets()}


@pytest.mark.parametrize("language", OTHERS)
def test_what_became_of_a_post_is_said_in_the_language_of_the_page(language: str) -> None:
    texts = texts_in(language)
    said = [publication_check.CHANGED, publication_check.GONE, publication_check.UNPUBLISHED, deliver.OUTCOME_UNKNOWN]
    said += [publication_check.OVERDUE, publication_check.TWIN_LEFT, publication_check.NOT_APPLIED, deliver.NO_TEXT]
    for sentence in said:
        message = sentence.format(name="Mon blog", due=datetime(2026, 11, 26, 9, 30, tzinfo=UTC), posts="17, 18")
        shown = said_outcome(message, texts)
        assert shown != message
        assert ("Mon blog" in shown) == ("Mon blog" in message)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_target_answered_itself_stays_as_it_is(language: str) -> None:
    texts = texts_in(language)
    assert said_outcome("Ghost: HTTP 422: Tag name is too long", texts) == "Ghost: HTTP 422: Tag name is too long"
    assert language_of_outcome("Ghost: HTTP 422: Tag name is too long", texts) == "en"
    refused = said_outcome("Ghost: refused the credentials (HTTP 401): Unknown admin key", texts)
    assert refused.startswith("Ghost: ")
    assert refused.endswith("Unknown admin key")
    assert ("refused" in refused) == (language == DEFAULT)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(
    ("changes", "text_language", "text"),
    [
        ({"person": person}, Language.EN, text)
        for person, text in product(
            Person, ("I see my house.", "We see our house.", "You see your house.", "The pump stands in the yard.")
        )
    ]
    + [
        ({"formality": Formality.FORMAL}, Language.EN, "It doesn't run."),
        ({"formality": Formality.FORMAL}, Language.FR, "Tu choisis ta pompe."),
        ({"formality": Formality.INFORMAL}, Language.FR, "Vous choisissez votre pompe."),
        ({"spelling": Spelling.BRITISH}, Language.EN, "The color is red."),
        ({"spelling": Spelling.AMERICAN}, Language.EN, "The colour is red."),
        ({"sentence_words": 30.0, "paragraph_sentences": 8.5, "questions": 0.9, "dashes": 0.85}, Language.EN, "It is."),
    ],
)
def test_what_deviates_from_a_voice_is_said_in_the_language_of_the_page(
    changes: dict[str, Any], text_language: Language, text: str, language: str
) -> None:
    asked = evolve(Features(9, 3, 4.0, 1.0, 1.0, 0.0, 0.0, 0.0), **changes)
    chosen = ChosenVoice(VoiceId("v"), "House", use=("heat pump",), avoid=("house", "red"), features=asked)
    found = deviations(chosen, text_language, IcuTextAnalysis(), ["A house"], [[text]])
    assert len(found) >= 2
    for one in found:
        assert said_outcome(one, texts_in(language)) != one


@given(st.text(max_size=80), st.sampled_from(list(LANGUAGES)))
def test_any_outcome_is_said_somehow(message: str, language: str) -> None:
    said = said_outcome(message, texts_in(language))
    assert said if message else said == message


@pytest.mark.parametrize("again", ["a: ", ".", " (2 attempts)", "; try again later", "its address is refused: "])
@pytest.mark.parametrize("characters", [MOST_CHARACTERS, 20_000])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_that_holds_very_many_is_said_too(again: str, characters: int, language: str) -> None:
    message = (again * characters)[:characters]
    assert said_outcome(message, texts_in(language))
    assert said_outcome(f"x{message}", texts_in(language))
