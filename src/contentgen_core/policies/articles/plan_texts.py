"""Check a plan's texts for readers: title, headings, questions, meta title and meta description. As with sentences, the
sources have to support what a language model states there; other texts are replaced by safe ones."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.article import Brief
from contentgen_core.model.article_plan import MAX_TITLE, ArticlePlan, PlanSection, SourceRef
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.policies.grounding.subject_words import NOT_NAMES
from contentgen_core.policies.grounding.verifier import Receipts, Verifier
from contentgen_core.policies.text.facts import fold_name
from contentgen_core.policies.text.truncation import truncate_at_word

_LABELS: Final = """
    guide tips advice overview introduction conclusion summary outline basics essentials mistakes pitfalls
    errors steps checklist questions answers explained understanding choosing avoid benefits advantages
    disadvantages drawbacks reasons options alternatives facts key main practical everyday next first final
    further
    guide conseils aperçu introduction conclusion résumé plan bases erreurs pièges étapes liste questions
    réponses comprendre choisir éviter avantages inconvénients raisons options solutions essentiel pratique
    derniers
    ratgeber tipps rat überblick einführung einleitung fazit zusammenfassung grundlagen fehler schritte
    checkliste fragen antworten verstehen wählen vermeiden vorteile nachteile gründe möglichkeiten praxis
    guía consejos resumen introducción conclusión bases errores pasos lista preguntas respuestas entender elegir
    evitar ventajas desventajas inconvenientes razones opciones claves práctica
    guida consigli panoramica introduzione conclusione riassunto basi errori passi lista domande risposte capire
    scegliere evitare vantaggi svantaggi motivi opzioni pratica
    guia dicas resumo introdução conclusão bases erros passos lista perguntas respostas entender escolher evitar
    vantagens desvantagens razões opções prática
    gids tips overzicht inleiding conclusie samenvatting basis fouten stappen lijst vragen antwoorden begrijpen
    kiezen vermijden voordelen nadelen redenen opties praktijk
"""
"""Words that say what a part of an article is, and nothing of its subject."""
_NUMBERED: Final = re.compile(r"([^\W\d_]+)[\s\u00a0]+\d{1,2}\b")


@frozen(eq=False)
class PlanTexts:
    """The texts of a model's plan. `passages`: what the article is written from, at least one."""

    plan: ArticlePlan
    brief: Brief
    passages: Mapping[SourceRef, Passage]
    analysis: TextAnalysis

    def drafts(self) -> list[DraftSentence]:
        """Return each sentence of each text, citing the sources of its part; all passages where the part names none."""
        return [draft for text, refs in self._texts() for draft in self._sentences(text, refs)]

    def supported(self, verifier: Verifier, receipts: Receipts) -> ArticlePlan:
        """Return the plan with its unsupported texts replaced: the title by the topic, a heading by one of a source, a
        meta title and description by nothing, since the title and the article's beginning stand for them; a question is
        left out. `verifier`, `receipts`: of the drafts."""
        known = self._known_terms()

        def holds(text: str, refs: tuple[SourceRef, ...]) -> bool:
            return all(self._holds(draft, verifier, receipts, known) for draft in self._sentences(text, refs))

        plan, seo = self.plan, self.plan.seo
        title = plan.title if holds(plan.title, ()) else truncate_at_word(self.brief.topic, MAX_TITLE)
        return evolve(
            plan,
            title=title,
            sections=self._replace_headings([(s, holds(s.heading, s.source_ids)) for s in plan.sections]),
            faq=tuple(entry for entry in plan.faq if holds(entry.question, entry.source_ids)),
            seo=evolve(
                seo,
                meta_title=seo.meta_title if holds(seo.meta_title, ()) else "",
                meta_description=seo.meta_description if holds(seo.meta_description, ()) else "",
            ),
        )

    def _texts(self) -> Iterator[tuple[str, tuple[SourceRef, ...]]]:
        plan = self.plan
        yield from ((text, ()) for text in (plan.title, plan.seo.meta_title, plan.seo.meta_description))
        yield from ((section.heading, section.source_ids) for section in plan.sections)
        yield from ((entry.question, entry.source_ids) for entry in plan.faq)

    def _sentences(self, text: str, refs: tuple[SourceRef, ...]) -> list[DraftSentence]:
        bare = _NUMBERED.sub(lambda match: match[1] if fold_name(match[1]) in NOT_NAMES else match[0], text)
        given = tuple(ref for ref in refs if ref in self.passages) or tuple(self.passages)
        spans = self.analysis.sentences(bare, self.brief.language)
        return [DraftSentence(span.of(bare), self._sources_of(span.of(bare), given)) for span in spans]

    def _sources_of(self, text: str, given: Sequence[SourceRef]) -> tuple[SourceRef, ...]:
        """Return the passages that the terms of a text need, in order: at most one a term, and at least one."""
        left = set(self._terms([text]))
        found = []
        for ref in given:
            if not left.isdisjoint(self._terms_of[ref]):
                found.append(ref)
                left -= self._terms_of[ref]
        return tuple(found) or tuple(given[:1])

    @cached_property
    def _terms_of(self) -> dict[SourceRef, frozenset[str]]:
        return {ref: self._terms([passage.with_titles()]) for ref, passage in self.passages.items()}

    def _holds(self, draft: DraftSentence, verifier: Verifier, receipts: Receipts, known: frozenset[str]) -> bool:
        lacking = (fact for fact in receipts[draft].missing_facts if not self._terms([fact]) <= known)
        return not any(lacking) and not verifier.explain(draft, self.brief.language).opposed

    def _known_terms(self) -> frozenset[str]:
        """Return the terms of the request and of labels."""
        return self._terms([self.brief.topic, *self.brief.keywords, _LABELS, *NOT_NAMES])

    def _terms(self, texts: Iterable[str]) -> frozenset[str]:
        return frozenset(t.term for text in texts for t in self.analysis.tokens(text, self.brief.language))

    def _replace_headings(self, sections: Iterable[tuple[PlanSection, bool]]) -> tuple[PlanSection, ...]:
        judged = list(sections)
        taken = {section.heading.casefold() for section, holds in judged if holds}
        made: list[PlanSection] = []
        for section, holds in judged:
            heading = section.heading if holds else self._heading_of_a_source(section, taken)
            taken.add(heading.casefold())
            made.append(evolve(section, heading=heading))
        return tuple(made)

    def _heading_of_a_source(self, section: PlanSection, taken: Collection[str]) -> str:
        """Return a source's heading that no other section has, if there is one; else the topic."""
        own = [self.passages[ref] for ref in section.source_ids if ref in self.passages]
        named = (name.strip() for p in (*own, *self.passages.values()) for name in (p.heading, p.document.title))
        free = (name for name in named if name and name.casefold() not in taken)
        return truncate_at_word(next(free, self.brief.topic), MAX_TITLE)
