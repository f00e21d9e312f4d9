"""The catalogues of the console: the same texts in each language, all that its pages name, none that nobody does."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Final

import pytest
from fluent.syntax import FluentParser, ast
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.article_link import LinkState
from contentgen_core.model.article_update import RefreshMode, UpdateState
from contentgen_core.model.article_version import VersionCause
from contentgen_core.model.conflict import ConflictKind, ConflictState, Decision, SideName
from contentgen_core.model.coverage import CoverageLevel
from contentgen_core.model.document import DocumentStatus
from contentgen_core.model.enrichment import EnrichmentStatus
from contentgen_core.model.entity import EntityType
from contentgen_core.model.execution import ExecutionStatus, RunFault, Trigger
from contentgen_core.model.freshness import FreshnessLevel, SentenceState
from contentgen_core.model.grounding import GroundingLevel, Verdict
from contentgen_core.model.knowledge import Origin
from contentgen_core.model.publication import CallKind, Finding, PostStatus, PublicationStatus
from contentgen_core.model.review import FlagReason
from contentgen_core.model.similar_article import Suggestion
from contentgen_core.model.synced_source import ItemState, SkipReason, SyncOutcome
from contentgen_core.model.team import Delivery
from contentgen_core.model.tenant import Quota, Role
from contentgen_core.model.vocabulary import PLAN_TONES, ArticleLength
from contentgen_core.model.voice import Formality, Person, Spelling
from contentgen_core.model.webhook import DeliveryState
from contentgen_core.policies.retrieval.found_by import FoundBy
from contentgen_core.ports.exporting import ExportFormat
from contentgen_core.ports.open_id import Refusal
from contentgen_http.console.pages.calendar.view import LANES, View
from contentgen_http.console.pages.knowledge.topics import TopicLevel
from contentgen_http.console.pages.publishing.view import ASKED_FIRST, Action
from contentgen_http.console.rendering import environment, shared
from contentgen_http.console.texts import PACKAGE, texts_in
from contentgen_http.texts import LANGUAGES, TextMissing, catalogues, preferred
from tests.support.console_ids import INSIGHT, QUEUES

CONSOLE: Final = Path(str(resources.files("contentgen_http.console")))
_NAMED: Final = re.compile(
    r"""\bt(?:\.interval)?\(\s*['"]([\w-]+)['"]\s*[,)]|['"]((?:nav|note|error|articles|settings|sign-in)-[\w-]+)['"]"""
)
MEANINGS: Final = {
    *("waits", "put-off", "under-way", "unknown", "removed", "failed", "draft", "scheduled", "public"),
    *(finding.value for finding in Finding if finding is not Finding.INTACT),
}
STEPS: Final = {
    *("asked", "requested", "put-off", "failed", "unknown", "removed", "marked-published", "marked-failed"),
    *(f"sent-{kind.value}" for kind in CallKind),
    *(f"read-back-{status.value}" for status in PostStatus),
    *(f"found-{finding.value}" for finding in Finding),
}
MADE: Final = {
    *(f"state-{state.value}" for kind in (ArticleStatus, PublicationStatus) for state in kind),
    *(f"level-{level.value}" for level in CoverageLevel),
    *(f"length-{length.value}" for length in ArticleLength),
    *(f"quota-{quota.value}" for quota in Quota),
    *(f"grounding-{level.value}" for level in GroundingLevel),
    *(f"publishing-means-{name}" for name in MEANINGS),
    *(f"publishing-do-{action.value}" for action in Action),
    *(f"publishing-sure-{action.value}" for action in ASKED_FIRST),
    *(f"publishing-as-{status.value}" for status in PostStatus),
    *(f"calendar-lane-{lane.value}" for lane in LANES),
    *(f"calendar-view-{view.value}" for view in View),
    *(f"publishing-step-{step}" for step in STEPS),
    *(f"verdict-{verdict.value}" for verdict in Verdict),
    *(f"approval-{state.value}" for state in ApprovalState),
    *(f"cause-{cause.value}" for cause in VersionCause),
    *(f"role-{role.value}" for role in Role),
    *(f"finding-{finding.value}" for finding in Finding),
    *(f"export-{format.value}" for format in ExportFormat),
    *(f"fresh-{level.value}" for level in FreshnessLevel),
    *(f"stale-{state.value}" for state in SentenceState),
    *(f"update-{state.value}" for state in UpdateState),
    *(f"link-{state.value}" for state in LinkState),
    *(f"suggestion-{each.value}" for each in Suggestion),
    *(f"similar-{each.value}" for each in Suggestion),
    *(f"comments-{which}" for which in ("open", "resolved", "all")),
    *(f"role-may-{role.value}" for role in Role),
    *(f"invitation-{delivery.value}" for delivery in Delivery),
    *(f"settings-fault-{field}" for field in ("name", "timeZone", "email", "expiresAt")),
    *(f"knowledge-state-{status.value}" for status in DocumentStatus),
    *(f"knowledge-origin-{origin.value}" for origin in Origin),
    *(f"knowledge-entity-{type.value}" for type in EntityType),
    *(f"knowledge-topics-{level.value}" for level in TopicLevel),
    *(f"knowledge-conflict-{state.value}" for state in ConflictState),
    *(f"knowledge-differs-{kind.value}" for kind in ConflictKind),
    *(f"knowledge-side-{side.value}" for side in SideName),
    *(f"knowledge-decided-{decision.value}" for decision in Decision),
    *(f"knowledge-decision-{chosen}" for chosen in ("one", "other", "both", "dismiss")),
    *(f"knowledge-enrichment-{status.value}" for status in EnrichmentStatus),
    *(f"settings-fault-{field}" for field in ("name", "timeZone", "email", "expiresAt", "url", "text")),
    *(f"settings-fault-{field}" for field in ("amount", "currency")),
    *(f"member-{role.value}" for role in Role),
    *(f"open-id-{refusal.value}" for refusal in Refusal),
    *(f"flag-{reason.value}" for reason in FlagReason),
    *(f"delivery-{state.value}" for state in DeliveryState),
    *(f"person-{person.value}" for person in Person),
    *(f"formality-{formality.value}" for formality in Formality),
    *(f"spelling-{spelling.value}" for spelling in Spelling),
}
MADE |= {
    *(f"run-{status.value}" for status in ExecutionStatus),
    *(f"run-by-{trigger.value}" for trigger in Trigger),
    *(f"fault-{fault.value}" for fault in RunFault),
    *(f"stage-{stage}" for stage in ("sources", "plan", "sections", "check")),
    *(f"tone-{tone.value}" for tone in PLAN_TONES),
    *(f"refresh-{mode.value}" for mode in RefreshMode),
    *(f"schedule-{kind}" for kind in ("daily", "weekly", "working-days", "moment", "needs")),
    *(f"knowledge-outcome-{outcome.value}" for outcome in SyncOutcome),
    *(f"knowledge-skip-{reason.value}" for reason in SkipReason),
    *(f"knowledge-item-{state.value}" for state in ItemState),
    *(f"knowledge-found-by-{reason.value}" for reason in FoundBy),
}
"""Ids that pages put together from a value."""


MADE |= INSIGHT | QUEUES


def messages(language: str) -> dict[str, tuple[str, frozenset[str]]]:
    """The file of each text, and the values that it needs, by its id."""
    found: dict[str, tuple[str, frozenset[str]]] = {}
    for name, source in catalogues(language, PACKAGE):
        for entry in FluentParser().parse(source).body:
            assert not isinstance(entry, ast.Junk), f"{language}/{name}: {entry.content}"
            if isinstance(entry, ast.Message):
                assert entry.id.name not in found, f"{language}: {entry.id.name} stands twice"
                text = source[entry.span.start : entry.span.end] if entry.span else ""
                found[entry.id.name] = (name, frozenset(re.findall(r"\{ \$(\w+)", text)))
    return found


def test_each_language_has_the_same_texts_with_the_same_values() -> None:
    english = messages("en")
    for language in LANGUAGES:
        assert messages(language) == english


def test_every_text_that_a_page_names_is_there_and_no_other() -> None:
    named = set(MADE)
    for file in (*CONSOLE.rglob("*.html"), *CONSOLE.rglob("*.py")):
        named |= {a or b for a, b in _NAMED.findall(file.read_text("utf-8"))}
    known = set(messages("en"))
    errors = {id for id in known if id.startswith("error-")}  # by the code of an error
    assert known - errors - named == set()
    assert {id for id in named - known if not id.startswith("error-")} <= {"note-"}


def test_a_text_that_is_missing_or_lacks_a_value_is_a_fault() -> None:
    with pytest.raises(TextMissing):
        texts_in("en")("no-such-text")
    with pytest.raises(TextMissing):
        texts_in("en")("quota-used", used="1")


def test_nothing_is_not_said_to_be_one_where_nothing_is_singular() -> None:
    for id in ("articles-count", "articles-words", "knowledge-count", "plan-sources", "demand-clicks"):
        name = "clicks" if id == "demand-clicks" else "count"
        assert texts_in("fr")(id, **{name: 0}).lower().startswith("aucun"), id


@pytest.mark.parametrize(
    ("hours", "english", "french"),
    [
        (1, "every hour", "toutes les heures"),
        (6, "every 6 hours", "toutes les 6 heures"),
        (24, "every day", "tous les jours"),
        (36, "every 36 hours", "toutes les 36 heures"),
        (168, "every week", "toutes les semaines"),
        (720, "every 30 days", "tous les 30 jours"),
    ],
)
def test_whole_days_are_not_counted_in_hours(hours: int, english: str, french: str) -> None:
    assert texts_in("en").interval("knowledge-every", hours) == english
    assert texts_in("fr").interval("knowledge-every", hours) == french
    assert texts_in("en").interval("refresh-every", hours) == f"{english.capitalize()}."
    assert texts_in("fr").interval("refresh-every", hours) == f"{french.capitalize()}."


def test_a_schedule_is_no_calendar_and_approval_has_one_name() -> None:
    """Words that name two things, or two words for one, in any text of the console."""
    french = "".join(source for _, source in catalogues("fr", PACKAGE))
    assert re.findall(r"^(?:note-)?schedule-.*alendrier.*$", french, re.MULTILINE) == []
    assert re.findall(r"(?i)^.*(?:approuv|approbation).*$", french, re.MULTILINE) == []


@pytest.mark.parametrize(
    ("header", "language"),
    [("fr-FR,fr;q=0.9,en;q=0.8", "fr"), ("de,en;q=0.5,fr;q=0.4", "en"), ("de", "en"), ("", "en"), ("en;q=x,fr", "fr")],
)
def test_the_browser_says_which_language_is_wanted(header: str, language: str) -> None:
    assert preferred(header) == language


@given(st.text())
def test_any_header_yields_a_language(header: str) -> None:
    assert preferred(header) in LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_says_its_texts_in_its_language_and_escapes_them(language: str) -> None:
    texts = texts_in(language)
    made = environment(language).from_string("{{ t('nav-home') }}<p>{{ t(id) }} {{ t('settings-measured', **words) }}")
    words = {"words": "<b>", "sentences": "2"}
    shown = made.render(t=texts, id="nav-articles", words=words)
    expected = (texts("nav-home"), texts("nav-articles"), texts("settings-measured", **words))
    first, second, third = (str(escape(text)) for text in expected)
    assert shown == f"{first}<p>{second} {third}"
    assert "<b>" not in shown


def test_a_text_that_is_missing_is_found_when_its_template_is_compiled() -> None:
    with pytest.raises(TextMissing):
        environment("en").from_string("{{ t('no-such-text') }}")


def test_an_id_may_be_put_together_and_what_makes_a_text_be_called() -> None:
    texts = texts_in("fr")
    page = "{{ t('nav-' ~ name) }} {{ t.number(1234.5) }} {{ t('quota-used', **values) }}"
    values = {"used": "<1>", "limit": "2"}
    said = (texts("nav-home"), texts.number(1234.5), str(escape(texts("quota-used", **values))))
    assert environment("fr").from_string(page).render(t=texts, name="home", values=values) == " ".join(said)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("area", "chosen"), [("/console", "/console"), ("/console/articles", "/console/articles"), ("/console/no", "")]
)
def test_the_menu_names_the_page_that_is_shown(language: str, area: str, chosen: str) -> None:
    menu = shared(language, "menu.html", area=area)
    assert re.findall(r'href="([^"]+)" aria-current="page"', menu) == ([chosen] if chosen else [])
    assert texts_in(language)("nav-settings") in menu
