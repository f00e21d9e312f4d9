"""The rules that the domain's values keep by themselves."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import pairwise, product
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.errors import IllegalTransition, InvalidInput
from contentgen_core.model.agent import AGENT_KEY, MAX_AGENT_KEY, AgentKey
from contentgen_core.model.article import TRANSITIONS, Article, ArticleStatus
from contentgen_core.model.article_plan import (
    ArticlePlan,
    FaqEntry,
    PlanSection,
    PlanSeo,
    SourceRef,
    validate_edited_plan,
)
from contentgen_core.model.knowledge import KbScope, KbView
from contentgen_core.model.niche import MAX_AUDIENCE, Activation, activation
from contentgen_core.model.tenant import Role
from contentgen_core.model.vocabulary import DIRECT_TONES, LENGTHS, PLAN_TONES, ArticleLength, Language, Tone
from contentgen_core.testing import builders, strategies
from contentgen_core.testing.runtime import MOMENT

LATER = MOMENT + timedelta(minutes=1)
S = ArticleStatus
BY_A_PERSON = {S.DRAFT, S.PUBLISHED, S.SCHEDULED}


def faults(error: pytest.ExceptionInfo[InvalidInput]) -> list[str]:
    return [fault.field for fault in error.value.errors]


class TestTransitions:
    @pytest.mark.parametrize(("before", "after"), list(product(ArticleStatus, ArticleStatus)))
    def test_every_pair_of_states_either_moves_or_is_refused(self, before: S, after: S) -> None:
        article = builders.article(status=before)
        if after in TRANSITIONS[before]:
            moved = article.moved_to(after, LATER)
            assert (moved.status, moved.updated_at, moved.created_at) == (after, LATER, MOMENT)
        else:
            with pytest.raises(IllegalTransition, match=f"is {before} cannot become {after}"):
                article.moved_to(after, LATER)

    def test_the_table_is_that_of_the_specification(self) -> None:
        """PATCH sets draft, published or scheduled on any article; only a draft is generated; a generation ends."""
        table = {
            S.DRAFT: BY_A_PERSON | {S.GENERATING},
            S.GENERATING: BY_A_PERSON | {S.GENERATED, S.FAILED},
            S.GENERATED: BY_A_PERSON,
            S.SCHEDULED: BY_A_PERSON,
            S.PUBLISHED: BY_A_PERSON,
            S.FAILED: BY_A_PERSON,
        }
        assert table == TRANSITIONS

    @given(strategies.articles())
    def test_moving_keeps_what_was_written(self, article: Article) -> None:
        for status in TRANSITIONS[article.status]:
            moved = article.moved_to(status, LATER)
            kept = (article.id, article.title, article.content, article.plan, article.brief, article.revision)
            assert (moved.id, moved.title, moved.content, moved.plan, moved.brief, moved.revision) == kept

    def test_generating_starts_from_zero_without_the_former_error(self) -> None:
        moved = builders.article(progress=70, error="no answer").moved_to(S.GENERATING, LATER)
        assert (moved.progress, moved.error) == (0, None)

    def test_a_generated_article_is_settled(self) -> None:
        article = builders.article(status=S.GENERATING, progress=95, job_id="j", quota_window=MOMENT.date())
        moved = article.moved_to(S.GENERATED, LATER)
        assert (moved.progress, moved.job_id, moved.quota_window) == (100, None, None)

    def test_a_failed_article_keeps_its_progress_and_what_it_is_owed(self) -> None:
        article = builders.article(status=S.GENERATING, progress=60, job_id="j", quota_window=MOMENT.date())
        moved = article.moved_to(S.FAILED, LATER)
        assert (moved.progress, moved.job_id, moved.quota_window) == (60, None, MOMENT.date())

    def test_publishing_sets_the_date_once(self) -> None:
        published = builders.article().moved_to(S.PUBLISHED, LATER)
        assert published.published_at == LATER
        assert published.moved_to(S.PUBLISHED, LATER + timedelta(days=1)).published_at == LATER

    @pytest.mark.parametrize("status", sorted(BY_A_PERSON))
    def test_a_person_takes_a_generating_article_from_its_job(self, status: S) -> None:
        assert builders.article(status=S.GENERATING, job_id="j").moved_to(status, LATER).job_id is None

    @pytest.mark.parametrize("status", ArticleStatus)
    def test_only_a_draft_with_a_plan_awaits_review(self, status: S) -> None:
        assert builders.article(status=status, plan=builders.article_plan()).awaits_review == (status is S.DRAFT)
        assert not builders.article(status=status).awaits_review


class TestAgentKeys:
    @given(strategies.agent_keys())
    def test_a_key_is_read_as_it_was_written(self, key: AgentKey) -> None:
        assert AgentKey.parse(str(key)) == key

    @given(st.text(max_size=120) | st.from_regex(r"[a-z0-9-]*-?[A-Za-z]{1,3}\n?", fullmatch=True))
    def test_a_text_is_a_key_exactly_when_it_has_the_form_of_one(self, text: str) -> None:
        if re.fullmatch(r"[a-z0-9-]+-[A-Z]{2}", text) and len(text) <= MAX_AGENT_KEY:
            assert str(AgentKey.parse(text)) == text
        else:
            with pytest.raises(InvalidInput):
                AgentKey.parse(text)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "GB",
            "-GB",
            "home-gb",
            "home-GBR",
            "Home-GB",
            "home_energy-GB",
            "home-GB\n",
            " home-GB",
            "hômé-GB",
            "home-ＧＢ",
        ],
    )
    def test_other_texts_are_refused_by_name_of_their_field(self, text: str) -> None:
        with pytest.raises(InvalidInput) as error:
            AgentKey.parse(text, "agent")
        assert faults(error) == ["agent"]

    def test_a_niche_key_may_hold_hyphens_and_digits(self) -> None:
        assert AgentKey.parse("home-energy-2-GB") == AgentKey("home-energy-2", "GB")

    def test_a_key_has_a_longest_length(self) -> None:
        assert AgentKey.parse("a" * 97 + "-GB").country == "GB"
        with pytest.raises(InvalidInput):
            AgentKey.parse("a" * 98 + "-GB")

    def test_the_pattern_is_that_of_the_specification(self) -> None:
        assert AGENT_KEY.pattern == "[a-z0-9-]+-[A-Z]{2}"


COUNTRIES = frozenset({"GB", "FR", "DE", "US", "JP"})


class TestActivations:
    @given(strategies.activations())
    def test_a_sound_activation_keeps_its_order(self, value: Activation) -> None:
        tones, languages = tuple(map(str, value.tones)), tuple(map(str, value.languages))
        assert activation(tones, languages, value.countries, value.target_audience, COUNTRIES) == value

    def test_repetitions_are_dropped(self) -> None:
        made = activation(("casual", "casual"), ("fr", "en", "fr"), ("GB", "FR", "GB"), None, COUNTRIES)
        assert made == Activation((Tone.CASUAL,), (Language.FR, Language.EN), ("GB", "FR"))

    def test_every_fault_is_named(self) -> None:
        with pytest.raises(InvalidInput) as error:
            activation(("casual", "journalistic"), (), ("GB", "XX", "gb"), "x" * (MAX_AUDIENCE + 1), COUNTRIES)
        assert faults(error) == ["tones[1]", "languages", "countries[1]", "countries[2]", "targetAudience"]

    def test_an_audience_of_the_longest_length_is_fine(self) -> None:
        assert activation(("casual",), ("en",), ("GB",), "x" * 500, COUNTRIES).target_audience == "x" * 500

    @given(strategies.activations(), strategies.activations())
    def test_activating_again_adds_countries(self, first: Activation, second: Activation) -> None:
        both = first.with_added(second)
        assert both.countries[: len(first.countries)] == first.countries
        assert set(both.countries) == {*first.countries, *second.countries}
        assert len(both.countries) == len(set(both.countries))
        assert (both.tones, both.languages) == (second.tones, second.languages)
        assert both.target_audience == (second.target_audience or first.target_audience)
        assert both.with_added(second) == both


REFS = tuple(SourceRef(f"doc-{n}", n) for n in range(4))
MAX_WORDS = 100_000


class TestEditedPlans:
    @given(strategies.article_plans(st.sampled_from(REFS)))
    def test_a_sound_plan_passes(self, plan: ArticlePlan) -> None:
        validate_edited_plan(plan, REFS, plan.target_words)

    @given(strategies.article_plans())
    def test_every_unknown_source_is_named(self, plan: ArticlePlan) -> None:
        known = sorted(plan.cited, key=str)[::2]
        unknown = [
            path
            for path, refs in [
                *((f"plan.sections[{i}].sourceIds", section.source_ids) for i, section in enumerate(plan.sections)),
                *((f"plan.faq[{i}].sourceIds", entry.source_ids) for i, entry in enumerate(plan.faq)),
            ]
            for ref in refs
            if ref not in known
        ]
        if not unknown:
            validate_edited_plan(plan, known, MAX_WORDS)
            return
        with pytest.raises(InvalidInput) as error:
            validate_edited_plan(plan, known, MAX_WORDS)
        assert faults(error) == unknown

    @pytest.mark.parametrize(
        ("path", "changes"),
        [
            ("title", {"title": " "}),
            ("title", {"title": "x" * 201}),
            ("angle", {"angle": "x" * 1_001}),
            ("audience", {"audience": "x" * 1_001}),
            ("sections", {"sections": ()}),
            ("sections", {"sections": (PlanSection("Heading"),) * 21}),
            ("sections[0].heading", {"sections": (PlanSection(""),)}),
            ("sections[1].heading", {"sections": (PlanSection("A"), PlanSection("x" * 201))}),
            ("sections[0].goal", {"sections": (PlanSection("A", goal="x" * 1_001),)}),
            ("sections[0].keyPoints", {"sections": (PlanSection("A", key_points=("x",) * 13),)}),
            ("sections[0].keyPoints[1]", {"sections": (PlanSection("A", key_points=("x", "")),)}),
            ("sections[0].keyPoints[0]", {"sections": (PlanSection("A", key_points=("x" * 1_001,)),)}),
            ("sections[0].targetWords", {"sections": (PlanSection("A", target_words=19),)}),
            ("sections[0].targetWords", {"sections": (PlanSection("A", target_words=2_001),)}),
            ("sections[0].sourceIds", {"sections": (PlanSection("A", source_ids=(SourceRef("other", 0),)),)}),
            ("sections[0].sourceIds", {"sections": (PlanSection("A", source_ids=REFS[:1] * 101),)}),
            ("faq", {"faq": (FaqEntry("Why?"),) * 11}),
            ("faq[0].question", {"faq": (FaqEntry(""),)}),
            ("faq[1].question", {"faq": (FaqEntry("Why?"), FaqEntry("x" * 201))}),
            ("faq[0].sourceIds", {"faq": (FaqEntry("Why?", (SourceRef("doc-1", 2),)),)}),
            ("seo.metaTitle", {"seo": PlanSeo(meta_title="x" * 201)}),
            ("seo.metaDescription", {"seo": PlanSeo(meta_description="x" * 1_001)}),
            ("seo.keywords", {"seo": PlanSeo(keywords=("x",) * 21)}),
        ],
    )
    def test_a_fault_is_named_by_its_path(self, path: str, changes: dict[str, Any]) -> None:
        plan = evolve(ArticlePlan("A title", sections=(PlanSection("Heading"),)), **changes)
        with pytest.raises(InvalidInput) as error:
            validate_edited_plan(plan, REFS, MAX_WORDS)
        assert faults(error) == [f"plan.{path}"]

    def test_the_words_of_all_sections_are_bounded_together(self) -> None:
        plan = ArticlePlan("A title", sections=(PlanSection("A", target_words=300),) * 2)
        validate_edited_plan(plan, (), 600)
        with pytest.raises(InvalidInput, match="at most 599 words with your plan, not 600") as error:
            validate_edited_plan(plan, (), 599)
        assert faults(error) == ["plan.sections"]

    def test_all_faults_are_named_at_once(self) -> None:
        section = PlanSection("", goal="x" * 1_001, key_points=("",), source_ids=(SourceRef("x", 1),), target_words=1)
        plan = ArticlePlan("", sections=(section,), faq=(FaqEntry(""),))
        with pytest.raises(InvalidInput) as error:
            validate_edited_plan(plan, (), 1)
        parts = ["heading", "goal", "keyPoints[0]", "targetWords", "sourceIds"]
        sections = [f"plan.sections[0].{part}" for part in parts]
        assert faults(error) == ["plan.title", *sections, "plan.faq[0].question"]

    def test_a_plan_cites_what_its_parts_cite(self) -> None:
        section, entry = PlanSection("A", source_ids=REFS[:2]), FaqEntry("Why?", REFS[1:3])
        assert ArticlePlan("A title", sections=(section,), faq=(entry,)).cited == frozenset(REFS[:3])


class TestSourceRefs:
    @given(strategies.source_refs())
    def test_a_ref_is_read_as_it_was_written(self, ref: SourceRef) -> None:
        assert SourceRef.parse(str(ref)) == ref

    @given(st.text(min_size=1), st.integers(0, 999_999_999))
    def test_a_document_id_may_hold_anything(self, document_id: str, index: int) -> None:
        assert SourceRef.parse(f"{document_id}#{index}") == SourceRef(document_id, index)

    @pytest.mark.parametrize(
        "text", ["", "#1", "doc", "doc#", "doc#-1", "doc#1.0", "doc#x", "doc#²", "doc#" + "1" * 10]
    )
    def test_other_texts_are_no_refs(self, text: str) -> None:
        with pytest.raises(ValueError, match="is not a source id"):
            SourceRef.parse(text)


class TestRoles:
    def test_each_role_includes_itself_and_those_below(self) -> None:
        ascending = [Role.VIEWER, Role.EDITOR, Role.ADMIN, Role.OWNER]
        assert set(ascending) == set(Role)
        for (i, role), (j, other) in product(enumerate(ascending), repeat=2):
            assert role.includes(other) == (i >= j)


class TestKeysAndJobs:
    def test_a_key_is_usable_until_it_expires_or_is_revoked(self) -> None:
        key = builders.api_key(expires_at=LATER)
        assert key.usable(MOMENT)
        assert not key.usable(LATER)
        assert not evolve(key, revoked_at=MOMENT).usable(MOMENT)
        assert builders.api_key().usable(MOMENT + timedelta(days=10_000))

    def test_a_job_is_exhausted_after_its_last_allowed_attempt(self) -> None:
        assert [builders.job(crashes=n, crashes_alone=n).exhausted for n in (0, 2, 3)] == [False, False, True]
        assert not builders.job(attempts=99, crashes=98, crashes_alone=1).exhausted, "any other may have killed it"


class TestVocabulary:
    def test_there_are_28_languages(self) -> None:
        listed = "fr en es de it pt nl pl sv no da fi cs hu ro el tr uk zh ja ko th vi id hi ar ru he"
        assert [str(language) for language in Language] == listed.split()

    def test_direct_generation_and_plans_have_their_own_tones(self) -> None:
        direct_tones = "professional casual educational journalistic"
        assert set(direct_tones.split()) == DIRECT_TONES
        plan_tones = "professional casual expert informative persuasive educational creative technical friendly"
        assert set(plan_tones.split()) == PLAN_TONES

    def test_lengths_follow_each_other_without_a_gap(self) -> None:
        bounds = [LENGTHS[length] for length in ArticleLength]
        assert all(shorter.max_words == longer.min_words for shorter, longer in pairwise(bounds))
        assert all(b.min_words < b.target_words < b.max_words for b in bounds)


class TestViews:
    @given(strategies.kb_scopes(), strategies.kb_scopes())
    def test_a_reader_sees_its_own_scope_and_what_is_everybodys(self, own: KbScope, other: KbScope) -> None:
        countries = frozenset({own.country}) if own.country else frozenset[str]()
        view = KbView(own.niche_key, own.tenant_id, countries)
        assert view.sees(own)
        assert view.sees(KbScope(own.niche_key))
        assert not view.sees(evolve(own, niche_key=own.niche_key + "x"))
        assert not view.sees(evolve(own, country="ZZ"))
        if other.tenant_id not in (None, own.tenant_id):
            assert not view.sees(evolve(own, tenant_id=other.tenant_id))
