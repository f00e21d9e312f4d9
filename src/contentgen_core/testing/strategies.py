"""Hypothesis strategies for the domain: any value that a correct caller or an earlier step can produce."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, TypeVar
from uuid import UUID

from attrs import evolve
from hypothesis import strategies as st

from contentgen_core.model.agent import AgentKey
from contentgen_core.model.article import Article, ArticleStatus, Brief, Seo, Usage
from contentgen_core.model.article_plan import (
    MAX_SECTION_WORDS,
    MIN_SECTION_WORDS,
    ArticlePlan,
    FaqEntry,
    PlanSection,
    PlanSeo,
    SourceRef,
)
from contentgen_core.model.ids import ArticleId, DocumentId, TenantId
from contentgen_core.model.knowledge import KbDocument, KbScope, Origin, Passage, TermStatistics
from contentgen_core.model.niche import Activation
from contentgen_core.model.prices import Cost
from contentgen_core.model.vocabulary import PLAN_TONES, ArticleLength, Language, PrivateDocsMode, Tone
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.testing.builders import NICHE_KEY, sha256

WORDS: Final = (
    *("heat", "pump", "house", "energy", "price", "2026", "kWh", "CO₂", "insulation", "e-mail"),
    *("pompe", "chaleur", "économie", "Wärme", "Haus", "Straße", "тепло", "насос", "熱", "ポンプ", "حرارة", "חום"),
)
"""Words of several scripts, few enough that two texts often share some."""

_V = TypeVar("_V")

_ISO_COUNTRIES: Final = ("GB", "FR", "DE", "US", "JP")
_TOKENS: Final = st.integers(0, 10**6)
_TEXT: Final = st.characters(exclude_categories=["Cs", "Cc"])


def uuids() -> st.SearchStrategy[str]:
    """Ids in canonical form, of version 7."""
    version, variant = 0x7 << 76, 0b10 << 62
    bits = st.tuples(st.integers(0, 2**48 - 1), st.integers(0, 2**12 - 1), st.integers(0, 2**62 - 1))
    return bits.map(lambda b: str(UUID(int=b[0] << 80 | version | b[1] << 64 | variant | b[2])))


def costs() -> st.SearchStrategy[Cost]:
    return st.builds(Cost, st.integers(0, 10**9), st.sampled_from(["USD", "EUR"]))


def moments() -> st.SearchStrategy[datetime]:
    """Times in UTC of this century, to the microsecond."""
    first, last = datetime.fromisoformat("2000-01-01"), datetime.fromisoformat("2099-12-31")
    return st.datetimes(first, last, timezones=st.just(UTC))


def texts(min_size: int = 0, max_size: int = 200) -> st.SearchStrategy[str]:
    """Any printable Unicode text, without control characters."""
    return st.text(_TEXT, min_size=min_size, max_size=max_size)


def sentences(max_words: int = 12) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(WORDS), min_size=1, max_size=max_words).map(" ".join)


def topics() -> st.SearchStrategy[str]:
    """Topics of 1 to 500 characters that input validation accepts."""
    return sentences(30).map(lambda text: text[:500].strip())


def niche_keys() -> st.SearchStrategy[str]:
    return st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=80)


def countries() -> st.SearchStrategy[str]:
    """Any two capital letters."""
    return st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=2, max_size=2)


def agent_keys() -> st.SearchStrategy[AgentKey]:
    return st.builds(AgentKey, niche_keys(), countries())


def source_refs() -> st.SearchStrategy[SourceRef]:
    return st.builds(SourceRef, uuids(), st.integers(0, 999_999_999))


def briefs() -> st.SearchStrategy[Brief]:
    return st.builds(
        Brief,
        topic=topics(),
        language=st.sampled_from(Language),
        tone=st.sampled_from(Tone),
        length=st.sampled_from(ArticleLength),
        keywords=st.lists(sentences(3), max_size=20).map(tuple),
        include_mermaid=st.booleans(),
        private_docs_mode=st.sampled_from(PrivateDocsMode),
        document_ids=st.lists(uuids().map(DocumentId), max_size=10, unique=True).map(tuple),
    )


def activations() -> st.SearchStrategy[Activation]:
    return st.builds(
        Activation,
        tones=_some(st.sampled_from(sorted(PLAN_TONES))),
        languages=_some(st.sampled_from(Language)),
        countries=_some(st.sampled_from(_ISO_COUNTRIES)),
        target_audience=st.none() | texts(1, 500),
    )


def plan_sections(refs: st.SearchStrategy[SourceRef] | None = None) -> st.SearchStrategy[PlanSection]:
    sources = source_refs() if refs is None else refs
    return st.builds(
        PlanSection,
        heading=sentences(8),
        goal=texts(max_size=100),
        key_points=st.lists(sentences(), max_size=12).map(tuple),
        source_ids=st.lists(sources, max_size=8, unique=True).map(tuple),
        target_words=st.integers(MIN_SECTION_WORDS, MAX_SECTION_WORDS),
    )


def article_plans(refs: st.SearchStrategy[SourceRef] | None = None) -> st.SearchStrategy[ArticlePlan]:
    """Valid plans, except for the total of words for a length. `refs`: the sources they may cite."""
    sources = source_refs() if refs is None else refs
    faq = st.builds(FaqEntry, sentences(), st.lists(sources, max_size=3, unique=True).map(tuple))
    seo = st.builds(PlanSeo, texts(max_size=60), texts(max_size=155), st.lists(sentences(3), max_size=10).map(tuple))
    return st.builds(
        ArticlePlan,
        title=sentences(),
        angle=texts(max_size=200),
        audience=texts(max_size=100),
        sections=st.lists(plan_sections(sources), min_size=1, max_size=6).map(tuple),
        faq=st.lists(faq, max_size=4).map(tuple),
        seo=seo,
    )


def articles(tenant_id: TenantId | None = None) -> st.SearchStrategy[Article]:
    """Articles in any state, of one tenant if it is given."""
    articles = st.builds(
        Article,
        id=uuids().map(ArticleId),
        tenant_id=uuids().map(TenantId) if tenant_id is None else st.just(tenant_id),
        niche_key=st.just(NICHE_KEY) | niche_keys(),
        brief=briefs(),
        topic_key=st.just(""),
        title=sentences(),
        status=st.sampled_from(ArticleStatus),
        created_at=moments(),
        updated_at=moments(),
        agent_key=st.none() | agent_keys(),
        content=st.lists(sentences(), max_size=5).map("\n\n".join),
        excerpt=st.none() | texts(),
        seo=st.none() | st.builds(Seo, st.none() | texts(), st.none() | texts()),
        scheduled_for=st.none() | moments(),
        published_at=st.none() | moments(),
        plan=st.none() | article_plans(),
        usage=st.none() | st.builds(Usage, sentences(1), _TOKENS, _TOKENS, st.none() | costs(), _TOKENS, _TOKENS),
        word_count=st.integers(0, 10_000),
        progress=st.integers(0, 100),
        error=st.none() | texts(),
        quota_window=st.none() | moments().map(lambda moment: moment.date().replace(day=1)),
        translation_of=st.none() | uuids().map(ArticleId),
    )
    return articles.map(lambda article: evolve(article, topic_key=topic_key(article.brief.topic)))


def kb_scopes() -> st.SearchStrategy[KbScope]:
    return st.builds(
        KbScope,
        niche_key=st.just(NICHE_KEY) | niche_keys(),
        tenant_id=st.none() | uuids().map(TenantId),
        country=st.none() | st.sampled_from(_ISO_COUNTRIES),
    )


def kb_documents(scopes: st.SearchStrategy[KbScope] | None = None) -> st.SearchStrategy[KbDocument]:
    return st.builds(
        KbDocument,
        id=uuids().map(DocumentId),
        scope=kb_scopes() if scopes is None else scopes,
        source_key=uuids().map(lambda id: f"https://example.com/{id}"),
        title=sentences(),
        language=st.sampled_from(Language),
        origin=st.sampled_from(Origin),
        content_hash=texts().map(sha256),
        created_at=moments(),
        url=st.none() | uuids().map(lambda id: f"https://example.com/{id}"),
        fetched_at=st.none() | moments(),
        author=st.none() | sentences(6),
    )


def passages(documents: st.SearchStrategy[KbDocument] | None = None) -> st.SearchStrategy[Passage]:
    """Passages whose terms are the words of text and heading in lower case, as from an analysis without stemming."""

    def passage(document: KbDocument, chunk_index: int, text: str, heading: str) -> Passage:
        return Passage(
            document=document,
            chunk_index=chunk_index,
            text=text,
            content_hash=sha256(text),
            heading=heading,
            terms=tuple(text.lower().split()),
            head_terms=tuple(f"{document.title} {heading}".lower().split()),
        )

    of = kb_documents() if documents is None else documents
    return st.builds(passage, of, st.integers(0, 10_000), sentences(60), st.just("") | sentences(5))


@st.composite
def term_statistics(draw: st.DrawFn, terms: tuple[str, ...] = WORDS) -> TermStatistics:
    """Statistics that a corpus can have: no term in more passages than there are, none in no passage."""
    passages = draw(st.integers(1, 100_000))
    mean_length = draw(st.floats(1, 2_000))
    counts = draw(st.dictionaries(st.sampled_from(terms), st.integers(1, passages)))
    return TermStatistics(passages, mean_length, counts)


def _some(values: st.SearchStrategy[_V]) -> st.SearchStrategy[tuple[_V, ...]]:
    return st.lists(values, min_size=1, max_size=4, unique=True).map(tuple)
