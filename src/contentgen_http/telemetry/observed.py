"""Ports, watched: calls, how they ended and how long they took; and a span of each while traces are sent.

Each class wraps one adapter and delegates to it whatever it does not watch."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter
from typing import Any, Final, Literal

from attrs import frozen
from opentelemetry.trace import Span, SpanKind
from prometheus_client import Counter, Histogram, Summary

from contentgen_core.errors import ContentgenError
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import IndexHit, KbView, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.counters import Allowance, RateLimiter
from contentgen_core.ports.knowledge_base import IndexedPassage, Vector
from contentgen_core.ports.publishing import LookupUnsupported, PublishFailed
from contentgen_core.ports.web_search import WebFindings, WebQuery
from contentgen_http.telemetry.metrics import Metrics
from contentgen_http.telemetry.tracing import Attributes, Tracing

MODEL_OPERATIONS: Final = (
    "plan", "read_plan", "write_section", "read_section", "suggest_topics", "judge_topic", "distil", "summarise",
    "translate", "revise_sentence", "curate_entities",
)  # fmt: skip
PUBLISHER_OPERATIONS: Final = ("test", "find", "create", "update", "read", "options", "unpublish", "delete", "copies")
UNANSWERED: Final = "unanswered"  # a call that perhaps had its effect


def outcome_of(error: ContentgenError) -> str:
    """A word of a few, as a label of a metric."""
    if isinstance(error, PublishFailed):
        return UNANSWERED if error.outcome_unknown else error.refusal.value
    return error.code


@frozen
class Watch:
    metrics: Metrics
    tracing: Tracing

    @contextmanager
    def over(
        self,
        name: str,
        calls: Counter,
        seconds: Histogram | Summary,
        label: str,
        attributes: Attributes | None = None,
    ) -> Iterator[Span]:
        """Observe a call to another service or the index.

        `name` and `attributes`: of its span. `label`: of both figures; `calls` has one more, the outcome.
        """
        begun, outcome = perf_counter(), "ok"
        try:
            with self.tracing.span(name, SpanKind.CLIENT, attributes) as span:
                yield span
        except ContentgenError as error:
            outcome = outcome_of(error)
            raise
        except BaseException as error:
            outcome = "cancelled" if not isinstance(error, Exception) else "error"
            raise
        finally:
            seconds.labels(label).observe(perf_counter() - begun)
            calls.labels(label, outcome).inc()


class _Delegate:
    def __init__(self, inner: Any, watch: Watch) -> None:
        self._inner, self._watch = inner, watch

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class ObservedModel(_Delegate):
    """A ContentModel. One call is what the port calls one: an adapter may ask its model a second time in it."""

    def __init__(self, inner: Any, watch: Watch) -> None:
        super().__init__(inner, watch)
        for operation in MODEL_OPERATIONS:
            setattr(self, operation, self._observe(operation))

    def _observe(self, operation: str) -> Callable[..., Awaitable[Any]]:
        metrics = self._watch.metrics

        async def call(*arguments: Any, **named: Any) -> Any:
            name: str = self._inner.name
            model: str = getattr(self._inner, "plans_with", name) if operation == "plan" else name
            attributes: Attributes = {
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": getattr(self._inner, "provider", model),
                "gen_ai.request.model": model,
                "contentgen.operation": operation,
            }
            with self._watch.over(
                f"chat {model}", metrics.model_calls, metrics.model_seconds, model, attributes
            ) as span:
                answer = await getattr(self._inner, operation)(*arguments, **named)
                usage = answer.usage
                metrics.model_tokens.labels(model, "input").inc(usage.input_tokens)
                metrics.model_tokens.labels(model, "output").inc(usage.output_tokens)
                metrics.model_cached_tokens.labels(model, "read").inc(usage.cached_tokens)
                metrics.model_cached_tokens.labels(model, "written").inc(usage.cache_written_tokens)
                if usage.cost is not None:
                    metrics.model_cost.labels(model, usage.cost.currency).inc(float(usage.cost.amount))
                span.set_attributes(
                    {
                        "gen_ai.usage.input_tokens": usage.input_tokens,
                        "gen_ai.usage.output_tokens": usage.output_tokens,
                        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
                        "gen_ai.usage.cache_creation.input_tokens": usage.cache_written_tokens,
                    }
                )
                return answer

        return call


class ObservedEmbedder(_Delegate):
    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        model, metrics = self._inner.model, self._watch.metrics
        with self._watch.over(
            f"embeddings {model}",
            metrics.embedding_calls,
            metrics.embedding_seconds,
            model,
            {"gen_ai.operation.name": "embeddings", "gen_ai.request.model": model, "contentgen.texts": len(texts)},
        ):
            vectors: list[Vector] = await self._inner.embed(texts, kind)
            return vectors


class ObservedIndex(_Delegate):
    async def search(
        self, view: KbView, terms: Mapping[Language, Sequence[str]], vector: Vector | None, limit: int
    ) -> list[IndexHit]:
        with self._over("search") as span:
            hits: list[IndexHit] = await self._inner.search(view, terms, vector, limit)
            span.set_attribute("contentgen.hits", len(hits))
            return hits

    async def nearest(self, view: KbView, vectors: Sequence[Vector], limit: int) -> list[list[IndexHit]]:
        with self._over("nearest", {"contentgen.vectors": len(vectors)}):
            found: list[list[IndexHit]] = await self._inner.nearest(view, vectors, limit)
            return found

    async def upsert(self, passages: Sequence[Passage]) -> None:
        with self._over("upsert", {"contentgen.passages": len(passages)}):
            await self._inner.upsert(passages)

    async def upsert_vectors(self, passages: Sequence[IndexedPassage]) -> None:
        with self._over("upsert vectors", {"contentgen.passages": len(passages)}):
            await self._inner.upsert_vectors(passages)

    async def optimize(self) -> None:
        with self._over("optimize"):
            await self._inner.optimize()

    def _over(self, operation: str, attributes: Attributes | None = None) -> AbstractContextManager[Span]:
        metrics = self._watch.metrics
        return self._watch.over(f"index {operation}", metrics.index_calls, metrics.index_seconds, operation, attributes)


class ObservedWebSearch(_Delegate):
    async def search(self, query: WebQuery) -> WebFindings:
        provider, metrics = self._inner.provider, self._watch.metrics
        with self._watch.over(
            f"web search {provider}", metrics.web_searches, metrics.web_search_seconds, provider
        ) as span:
            findings: WebFindings = await self._inner.search(query)
            span.set_attribute("contentgen.results", len(findings.results))
            return findings


class ObservedTargets(_Delegate):
    """PublishingTargets whose publishers are watched. Of a target its provider's name alone is shown."""

    def connect(
        self, provider: str, credentials: Mapping[str, Any], settings: Mapping[str, Any], tenant_id: TenantId
    ) -> Any:
        return _ObservedPublisher(
            self._inner.connect(provider, credentials, settings, tenant_id), self._watch, provider
        )


class _ObservedPublisher(_Delegate):
    def __init__(self, inner: Any, watch: Watch, provider: str) -> None:
        super().__init__(inner, watch)
        for operation in PUBLISHER_OPERATIONS:
            setattr(self, operation, self._observe(provider, operation))

    def _observe(self, provider: str, operation: str) -> Callable[..., Awaitable[Any]]:
        metrics = self._watch.metrics

        async def call(*arguments: Any) -> Any:
            cannot_tell: LookupUnsupported | None = None
            with self._watch.over(
                f"publish {operation} {provider}",
                metrics.publish_calls,
                metrics.publish_seconds,
                provider,
            ):
                try:
                    return await getattr(self._inner, operation)(*arguments)
                except LookupUnsupported as error:  # no failure of the target, which was not even asked
                    cannot_tell = error
            raise cannot_tell

        return call


@frozen
class ObservedLimiter:
    """A RateLimiter. Counts refusals by what is limited: a tenant, or an address whose keys fail."""

    inner: RateLimiter
    metrics: Metrics

    async def take(self, subject: str, per_minute: int) -> Allowance:
        allowance = await self.inner.take(subject, per_minute)
        if not allowance.allowed:
            self.metrics.refusals.labels(subject.partition(":")[0]).inc()
        return allowance
