"""Each figure of a page that the code decides is the code's: limits, times, counts of languages and providers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from typing import Any, Final

import pytest

from contentgen_adapters.documents.uploads import MAX_CHARACTERS as MAX_UPLOADED
from contentgen_adapters.entailment.tei import PAIRS_AT_ONCE
from contentgen_adapters.exporting.pictures import MAX_BYTES as MAX_PICTURE
from contentgen_adapters.feeds.parsing import MAX_ENTRIES
from contentgen_adapters.reranking.service import MAX_CHARACTERS as RERANKED_CHARACTERS
from contentgen_adapters.shared.parsing.pdf import MAX_PAGES
from contentgen_adapters.sources.providers.git import MAX_PACK
from contentgen_adapters.text.chunking import MAX_CHARACTERS, MAX_DENSE_CHARACTERS
from contentgen_core.model import calendar, document, evaluation, review, trend, voice, webhook
from contentgen_core.model.agent_event import KEPT as EVENTS_KEPT
from contentgen_core.model.article_comment import MAX_COMMENTS
from contentgen_core.model.article_link import MAX_LINKS
from contentgen_core.model.article_version import KEPT_VERSIONS
from contentgen_core.model.execution import MAX_ARTICLES
from contentgen_core.model.job import LEASE_SECONDS, MAX_ATTEMPTS
from contentgen_core.model.search_report import MAX_EXPORT_BYTES, MAX_ROWS
from contentgen_core.model.synced_source import MAX_ITEMS, MAX_KEY
from contentgen_core.model.team import INVITATION_LASTS
from contentgen_core.model.tenant import PlanName, Quota
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.translation import MAX_CREDITS, MAX_WORDS, TARGET_LANGUAGES
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.policies.topics import trends
from contentgen_core.use_cases.articles import plan, verify_text
from contentgen_core.use_cases.dispatch import MAX_QUEUED
from contentgen_core.use_cases.documents.nearest_sentences import MAX_EMBEDDED, MAX_OF_PASSAGE
from contentgen_core.use_cases.evaluation import sample
from contentgen_core.use_cases.generation.model_batch import LONGEST
from contentgen_core.use_cases.generation.write_article import SECTIONS_AT_ONCE
from contentgen_core.use_cases.public.send_alerts import MAX_IN_A_DIGEST
from contentgen_core.use_cases.publishing.verify import MAX_ASKED
from contentgen_core.use_cases.search_queries.console import DAYS
from contentgen_core.use_cases.synced_sources.follow import MOST_BYTES, MOST_READ
from contentgen_core.use_cases.translation.start import MAX_TEXT as MAX_TRANSLATED
from contentgen_grounded import cores
from contentgen_grounded.settings import Settings
from contentgen_http.console.pages.knowledge.adding import MAX_SENT
from contentgen_http.demo.tenant import NICHES as DEMO_NICHES
from contentgen_http.mcp import bounds
from contentgen_http.mcp.endpoint import MAX_BATCH
from contentgen_http.mcp.tenant_tools import MAX_VERIFIED
from contentgen_http.reference.pages import pages
from contentgen_http.wire.calendar import USUAL
from tests.support.shown import ROOT

MIB: Final = 1024 * 1024
DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)


def providers() -> int:
    """Kinds of publishing target on their page of the reference."""
    return _reference()["providers.md"].count("\n## ")


@cache
def _reference() -> dict[str, str]:
    return pages()


def credits(name: PlanName) -> int | None:
    return PLANS[name].limits[Quota.TRANSLATION_CREDITS]


def pythons() -> tuple[str, ...]:
    """The first and the last Python that the package says it runs on."""
    found = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", _project()["requires-python"])
    assert found
    return f"3.{found[1]}", f"3.{int(found[2]) - 1}"


@cache
def _project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return found


def rejected_claims() -> int:
    """Return how many of ten supported claims the grounding check rejects, by the newest measurement."""
    measured = (ROOT / "docs/quality.md").read_text("utf-8").partition("### Claims against abstracts: held out")[2]
    accepted = re.search(r"\| accepted, SUPPORT \(\d+\) \| (0\.\d+) ", measured)
    assert accepted
    return round(10 * (1 - float(accepted[1])))


Value = str | int | float | None
FIGURES: Final[list[tuple[str, str, Callable[[], tuple[Value, ...]]]]] = [
    ("README.md", r"Python (3\.\d+) to (3\.\d+)", pythons),
    ("CONTRIBUTING.md", r"Python (3\.\d+) to (3\.\d+)", pythons),
    ("docs/howto/install.md", r"Python (3\.\d+) to (3\.\d+)", pythons),
    ("docs/howto/install.md", r"contentgen_grounded-([\d.]+)-py3", lambda: (_project()["version"],)),
    ("docs/howto/evaluate.md", r"contentgen_grounded-([\d.]+)-py3", lambda: (_project()["version"],)),
    ("README.md", r"Publishes\*\* to \[(\d+) kinds", lambda: (providers(),)),
    ("README.md", r"(two) sample knowledge bases on http://([\d.]+):(\d+)",
     lambda: (_word(len(DEMO_NICHES)), Settings().host, Settings().port)),
    ("README.md", r"about (four) of ten", lambda: (_word(rejected_claims()),)),
    ("docs/verified.md", r"publishing to \[(\d+) kinds", lambda: (providers(),)),
    ("docs/architecture.md", r"`providers/\*\.py` \((\d+)\)", lambda: (providers(),)),
    ("docs/architecture.md", r"job, leased (\d+) s", lambda: (int(LEASE_SECONDS),)),
    ("docs/architecture.md", r"(three) attempts in all, and (\d+) minutes for a model that is away",
     lambda: (_word(MAX_ATTEMPTS), int(Settings().model_wait))),
    ("docs/architecture.md", r"each section and the FAQ, (four) at a time", lambda: (_word(SECTIONS_AT_ONCE),)),
    ("docs/howto/import.md", r"it is detected\. (\d+) languages", lambda: (len(Language),)),
    ("docs/howto/embed.md", r"(\d+) languages;", lambda: (len(Language),)),
    ("docs/howto/translate.md", r"any of the (\d+) languages", lambda: (len(Language),)),
    ("docs/explanation/trends.md", r"in (\d+) languages", lambda: (len(Language),)),
    ("docs/howto/translate.md", r"into \| ([a-z, ]+);", lambda: (", ".join(TARGET_LANGUAGES),)),
    ("docs/howto/translate.md", r"([\d,]+) words \((\d+) credits\) and, for texts and documents, ([\d,]+) characters",
     lambda: (MAX_WORDS, MAX_CREDITS, MAX_TRANSLATED)),
    ("docs/howto/translate.md", r"Starter (\d+), Pro (\d+), Business (\d+)",
     lambda: (credits(PlanName.STARTER), credits(PlanName.PRO), credits(PlanName.BUSINESS))),
    ("docs/howto/import.md", r"at most ([\d,]+) characters \((\d+) in Chinese",
     lambda: (MAX_CHARACTERS, MAX_DENSE_CHARACTERS)),
    ("docs/howto/private-documents.md", r"(\d+) MB, ([\d,]+) pages, ([\d,]+) characters",
     lambda: (document.MAX_BYTES // MIB, MAX_PAGES, MAX_UPLOADED)),
    ("docs/howto/private-documents.md", r"`documentIds` \((\d+) at most\)", lambda: (plan.MAX_DOCUMENTS,)),
    ("docs/quickstart/console.md", r"files and texts of (\d+) MB and", lambda: (MAX_SENT // MIB,)),
    ("docs/howto/operate.md", r"jobs that ended \| (\d+) days", lambda: (_interval("repositories/jobs.py"),)),
    ("docs/howto/operate.md", r"events of agents \| (\d+) days", lambda: (EVENTS_KEPT // DAY,)),
    ("docs/howto/operate.md", r"with their deliveries \| (\d+) days", lambda: (webhook.MESSAGES_KEPT // DAY,)),
    ("docs/howto/operate.md", r"not seen any more \| (\d+) days", lambda: (trends.KEPT // DAY,)),
    ("docs/howto/operate.md", r"versions of an article \| the newest (\d+)", lambda: (KEPT_VERSIONS,)),
    ("docs/howto/operate.md", r"its jobs are taken\nup (\d+) s later", lambda: (int(LEASE_SECONDS),)),
    ("docs/howto/schedule-articles.md", r"`articlesPerRun` \| 1 to (\d+)", lambda: (MAX_ARTICLES,)),
    ("docs/howto/calendar.md", r"spans (\d+) days at most", lambda: (calendar.MAX_RANGE // DAY,)),
    ("docs/howto/calendar.md", r"ends (\d+) days later", lambda: (USUAL // DAY,)),
    ("docs/howto/approve.md", r"resolve comments; (\d+) an article", lambda: (MAX_COMMENTS,)),
    ("docs/howto/invite-people.md", r"works once, for (\d+) days", lambda: (INVITATION_LASTS // DAY,)),
    ("docs/howto/internal-links.md", r"at most (five) links", lambda: (_word(MAX_LINKS),)),
    ("docs/howto/webhooks.md", r"a tenant has (ten) at most", lambda: (_word(webhook.MAX_ENDPOINTS),)),
    ("docs/howto/webhooks.md", r"For (\d+) hours each message", lambda: (webhook.FORMER_SECRET_KEPT // HOUR,)),
    ("docs/howto/webhooks.md", r"Deliveries are kept for (\d+) days", lambda: (webhook.MESSAGES_KEPT // DAY,)),
    ("docs/howto/reviews.md", r"`title` \((\d+) characters at most\), `comment` \(([\d,]+)\)",
     lambda: (review.MAX_TITLE, review.MAX_COMMENT)),
    ("docs/howto/verify.md", r"up to ([\d,]+) characters", lambda: (verify_text.MAX_TEXT,)),
    ("docs/howto/verify.md", r"up to (\d+) texts with `title` and `url`, ([\d,]+) characters",
     lambda: (verify_text.MAX_SOURCES, verify_text.MAX_SOURCE_CHARS)),
    ("docs/howto/verify.md", r"a text of at most ([\d,]+) characters", lambda: (MAX_VERIFIED,)),
    ("docs/howto/voices.md", r"(\d+) words or more together, (\d+) samples and ([\d,]+) characters",
     lambda: (voice.MIN_SAMPLE_WORDS, voice.MAX_SAMPLES, voice.MAX_ALL_SAMPLES)),
    ("docs/howto/mcp.md", r"have (\d+) messages at most", lambda: (MAX_BATCH,)),
    ("docs/howto/mcp.md", r"come to ([\d,]+) characters an answer at most, lists to ([\d,]+)",
     lambda: (bounds.MAX_TEXT, bounds.MAX_LIST)),
    ("docs/howto/evaluate.md", r"up to ([\d,]+) documents with ([\d,]+) passages",
     lambda: (sample.MAX_DOCUMENTS, sample.MAX_PASSAGES)),
    ("docs/howto/evaluate.md", r"cases of a kind, (\d+) at most", lambda: (evaluation.DEFAULT_SIZE,)),
    ("docs/howto/model-cost.md", r"does not answer within (\d+) hours", lambda: (LONGEST // HOUR,)),
    ("docs/howto/publish.md", r"`publicationIds` \((\d+) at most\)", lambda: (MAX_ASKED,)),
    ("docs/howto/images-and-export.md", r"also WebP, (\d+) MB at most", lambda: (MAX_PICTURE // MIB,)),
    ("docs/howto/search-queries.md", r"; (\d+) MB and ([\d,]+) rows", lambda: (MAX_EXPORT_BYTES // MIB, MAX_ROWS)),
    ("docs/howto/search-queries.md", r"the last (\d+) days whose figures are final", lambda: (DAYS,)),
    ("docs/howto/sources.md", r"names of more than (\d+) characters", lambda: (MAX_KEY,)),
    ("docs/howto/sources.md", r"fetched whole at each sync, (\d+) MB", lambda: (MAX_PACK // MIB,)),
    ("docs/howto/sources.md", r"more to read than ([\d,]+) pages, (\d+) GB",
     lambda: (MOST_READ, MOST_BYTES // (1024 * MIB))),
    ("docs/howto/reranking.md", r"of the topic, the first ([\d,]+) characters", lambda: (RERANKED_CHARACTERS,)),
    ("docs/howto/entailment.md", r"Requests hold at most (\d+) pairs", lambda: (PAIRS_AT_ONCE,)),
    ("docs/howto/embeddings.md", r"\(at most (\d+) sentences of the best passages are embedded for it, (\d+) of each",
     lambda: (MAX_EMBEDDED, MAX_OF_PASSAGE)),
    ("docs/howto/public.md", r"with up to (\d+) trends", lambda: (MAX_IN_A_DIGEST,)),
    ("docs/explanation/trends.md", r"entries of the last (\d+) days with title, link and date, the first (\d+)",
     lambda: (trends.WINDOW // DAY, MAX_ENTRIES)),
    ("docs/explanation/trends.md", r"the newest (\d+) sources are kept", lambda: (trend.MAX_SOURCES,)),
    ("docs/explanation/trends.md", r"A trend goes (\d+) days after", lambda: (trends.KEPT // DAY,)),
    ("docs/explanation/scale.md", r"a sync, of at most ([\d,]+) items", lambda: (MAX_ITEMS,)),
    ("docs/explanation/scale.md", r"gets ids of ([\d,]+) jobs at most", lambda: (MAX_QUEUED,)),
]  # fmt: skip
"""(page, the words with the figures as groups, the figures of the code)"""


def _interval(module: str) -> int:
    """The days of a deletion in SQL."""
    source = (ROOT / "src/contentgen_adapters/postgres" / module).read_text()
    [days] = re.findall(r"ended_at < now\(\) - interval '(\d+) days'", source)
    return int(days)


def _word(number: int) -> str:
    return {2: "two", 3: "three", 4: "four", 5: "five", 10: "ten"}.get(number, str(number))


def figures(text: str, words: str) -> list[tuple[str, ...]]:
    """The groups of the words wherever they stand; a figure may stand on the next line."""
    spaced = re.sub(r"\\n| ", r"\\s+", words)
    return [tuple(group.replace(",", "") for group in found.groups()) for found in re.finditer(spaced, text)]


@pytest.mark.parametrize(
    ("page", "words", "of_code"), FIGURES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_figure_is_the_codes(page: str, words: str, of_code: Callable[[], tuple[Value, ...]]) -> None:
    found = figures((ROOT / page).read_text("utf-8"), words)
    assert found, f"{page} does not say this any more: change the words here"
    real = tuple(str(value).replace(",", "") for value in of_code())
    assert set(found) == {real}, f"{page}: {words} is {real}"


def test_processes_of_cores_are_those_of_the_table() -> None:
    text = (ROOT / "docs/howto/operate.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+)(?: and more)? \| (\d+) \| (\d+) \|$", text, re.M)
    assert len(rows) == 5
    for count, api, jobs in rows:
        assert (cores.api_processes(int(count)), cores.job_processes(int(count))) == (int(api), int(jobs))
    assert (cores.api_processes(64), cores.job_processes(64)) == (8, 16)


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_bytes()) <= 6_000


def test_a_wrong_figure_is_noticed() -> None:
    for page, words, _ in FIGURES:
        text = (ROOT / page).read_text("utf-8")
        changed = re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), text)
        assert figures(changed, words) != figures(text, words) or r"\d" not in words
