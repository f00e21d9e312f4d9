"""Reference pages that are tables of values: providers, file types, metrics, events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from prometheus_client.core import Metric

from contentgen_core.model.agent_event import KEPT, AgentEventKind
from contentgen_core.model.document import MAX_BYTES
from contentgen_core.model.publishing_target import ProviderInfo, SettingField
from contentgen_core.ports.documents import FileType
from contentgen_http.telemetry.exposition import Processes, Queue
from contentgen_http.telemetry.metrics import Metrics

Page = Callable[..., str]
Table = Callable[[Sequence[str], Iterable[Sequence[str]]], str]

_EVENTS: Final = {
    AgentEventKind.AGENT_CREATED: "an agent was made",
    AgentEventKind.AGENT_UPDATED: "an agent was changed, or switched on or off",
    AgentEventKind.AGENT_DELETED: "an agent was deleted",
    AgentEventKind.EXECUTION_STARTED: "a run of an agent began",
    AgentEventKind.EXECUTION_COMPLETED: "a run ended as it should",
    AgentEventKind.EXECUTION_FAILED: "a run ended without what it was for",
}


def publishing_providers(page: Page, table: Table, providers: Iterable[ProviderInfo]) -> str:
    parts = []
    for provider in sorted(providers, key=lambda provider: provider.id):
        limits = provider.constraints
        who = " Connected by platform administrators alone." if provider.platform_only else ""
        parts += [f"## {provider.name}", f"Id `{provider.id}`; takes {limits.body_format}.{who}"]
        rows = [
            ("by itself", ", ".join(f"`{feature.value}`" for feature in provider.features)),
            ("title, characters", _bound(limits.title_max)),
            ("text, characters", _bound(limits.body_max)),
            ("tags", _bound(limits.tags_max)),
            ("cannot", " ".join(limits.cannot)),
            ("not verified", " ".join(limits.unverified) or "Nothing is open that we know of."),
        ]
        parts.append(table(("", ""), [row for row in rows if row[1]]))
        fields = [("credentials", field) for field in provider.credential_fields]
        fields += [("settings", field) for field in provider.setting_fields]
        parts.append(table(("field", "in", "type", "meaning"), [_field(place, field) for place, field in fields]))
    intro = (
        "Kinds of target, as they declare themselves: the same as `GET /integrations/providers` answers with. *Not "
        "verified* is what the vendor's documentation leaves open and no server of the vendor was asked about; see "
        "[publishing](../howto/publish.md)."
    )
    return page("Publishing providers", intro, *parts)


def file_types(page: Page, table: Table, types: Iterable[FileType]) -> str:
    rows = [
        (
            f"{kind.label[0].upper()}{kind.label[1:]}",
            ", ".join(f"`{suffix}`" for suffix in kind.suffixes),
            kind.contents,
            ", ".join(filter(None, (_size(kind.max_bytes), kind.limits))),
            f"`{kind.media_type}`",
        )
        for kind in types
    ]
    intro = (
        "Types of files that `contentgen kb import`, `contentgen documents add`, uploads and sources read. A file's "
        f"first bytes decide its type before its name does. Uploads are bounded further: {MAX_BYTES // 2**20} MB, and "
        "see [documents](../howto/private-documents.md)."
    )
    return page("File types", intro, table(("type", "names", "read", "at most", "media type of an upload"), rows))


def _size(bytes_: int) -> str:
    return f"{bytes_ // 10**9} GB" if bytes_ >= 10**9 else f"{bytes_ // 10**6} MB"


def _bound(limit: int | None) -> str:
    return "" if limit is None else f"{limit:,} at most"


def _field(place: str, field: SettingField) -> tuple[str, str, str, str]:
    marks = [mark for mark, is_so in (("required", field.required), ("secret", field.secret)) if is_so]
    choices = f" One of {', '.join(f'`{choice.value}`' for choice in field.choices)}." if field.choices else ""
    return (
        f"`{field.name}`",
        ", ".join((place, *marks)),
        field.type.value,
        f"{field.label}. {field.help}{choices}".strip(),
    )


def metrics(page: Page, table: Table) -> str:
    rows = sorted((*_families(_ours()), *_families(Queue({}, 0).collect()), *_families(Processes([]).collect())))
    intro = (
        "What `GET /metrics` returns, by the names Prometheus shows. Histograms have `_bucket`, `_sum` and `_count`, "
        "summaries the last two. Labels are few: the first part of a route, a kind of job, a model's name, never an "
        "id, a topic or an address. Beside these are the usual figures of the process (`process_…`, `python_info`). "
        "What to watch: [operate](../howto/operate.md#is-it-well)."
    )
    return page("Metrics", intro, table(("metric", "type", "labels", "meaning"), rows))


def _ours() -> Iterator[tuple[Metric, Sequence[str]]]:
    for value in vars(Metrics()).values():
        if hasattr(value, "_labelnames"):
            for family in value.describe():
                yield family, value._labelnames


def _families(found: Iterable[Any]) -> Iterator[tuple[str, str, str, str]]:
    for one in found:
        family, labels = one if isinstance(one, tuple) else (one, getattr(one, "_labelnames", ()))
        name = f"{family.name}_total" if family.type == "counter" else family.name
        yield f"`{name}`", family.type, ", ".join(f"`{label}`" for label in labels), family.documentation


def events(page: Page, table: Table, schema: Mapping[str, Any]) -> str:
    """The page of events. `schema`: of an event's data in the OpenAPI document."""
    rows = [(f"`{kind.value}`", _EVENTS[kind]) for kind in AgentEventKind]
    rows.append(
        ("`events.lost`", "what came after id `after` is no longer known; the stream goes on after `resumesAfter`")
    )
    fields = [
        (
            f"`{name}`",
            "" if name in schema.get("required", ()) else "where there is one",
            meaning.get("description", ""),
        )
        for name, meaning in schema["properties"].items()
    ]
    intro = (
        f"Server-sent events of `GET /agents/events`, kept for {KEPT.days} days. Their ids are numbers that grow "
        "within a tenant; see [follow events](../howto/follow-events.md)."
    )
    return page("Events", intro, table(("event", "when"), rows), "## Data", table(("field", "", "meaning"), fields))
