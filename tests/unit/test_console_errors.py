"""What a page of the console says of an error, and which errors it leaves to the log."""

from __future__ import annotations

import re
from inspect import signature

import pytest

from contentgen_core import errors as core
from contentgen_core.link_errors import SignInInvalid
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.texts import texts_in
from contentgen_http.server.errors import STATUS
from contentgen_http.texts import LANGUAGES


class OfAnAdapter(core.NotConfigured):
    """Adapters define errors of their own, below those of the core."""

    code = "of_an_adapter"

    def __init__(self) -> None:
        Exception.__init__(self, "The provider is not set up.")


class Unheard(core.ContentgenError):
    code = "unheard_of"


def made(kind: type[core.ContentgenError]) -> core.ContentgenError:
    return kind.__new__(kind)


@pytest.mark.parametrize(
    "kind", [kind for kind, shown in STATUS.items() if shown.status != 500], ids=lambda kind: kind.__name__
)
def test_an_error_that_a_person_can_act_on_has_the_status_of_the_api(kind: type[core.ContentgenError]) -> None:
    assert status_of(made(kind)) == STATUS[kind].status


def test_an_error_of_an_adapter_has_the_status_of_its_nearest_kind() -> None:
    assert status_of(OfAnAdapter()) == STATUS[core.NotConfigured].status


@pytest.mark.parametrize("error", [core.ContentgenError("broken"), Unheard("broken")])
def test_what_nobody_expected_is_raised_again(error: core.ContentgenError) -> None:
    with pytest.raises(core.ContentgenError) as raised:
        status_of(error)
    assert raised.value is error


def test_a_sentence_is_in_the_persons_language_where_the_catalogue_has_one() -> None:
    french = texts_in("fr")
    said = sentence(made(core.TenantSuspended), french)
    assert said == french("error-tenant-suspended") != texts_in("en")("error-tenant-suspended")


def test_a_sentence_without_a_text_is_the_errors_own() -> None:
    assert sentence(Unheard("What is wrong."), texts_in("fr")) == "What is wrong."


def test_words_that_are_known_without_their_code_are_in_the_persons_language_too() -> None:
    refused = core.ProviderFailed("Ghost", "refused the key (HTTP 401); check the key, setting X", retryable=False)
    assert sentence(refused, texts_in("en")) == str(refused)
    assert sentence(refused, texts_in("fr")).startswith("Ghost: a refusé")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [kind for kind in STATUS if "__init__" in vars(kind)], ids=lambda kind: kind.__name__)
def test_no_page_names_an_operation_of_the_api(kind: type[core.ContentgenError], language: str) -> None:
    needed = [p for p in signature(kind).parameters.values() if p.default is p.empty and p.kind is not p.VAR_POSITIONAL]
    said = sentence(made(kind) if needed else kind(), texts_in(language))
    assert not re.search(r"\b(GET|POST|PUT|PATCH|DELETE) /", said), said


def test_a_link_that_was_used_is_said_to_be_in_the_persons_language() -> None:
    assert sentence(SignInInvalid(), texts_in("fr")) == texts_in("fr")("error-sign-in-invalid")
