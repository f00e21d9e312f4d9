"""The command `contentgen eval`: measure the service on a knowledge base."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from attrs import frozen

from contentgen_core.errors import ContentgenError, InvalidInput
from contentgen_core.model.evaluation import (
    DEFAULT_ARTICLES,
    DEFAULT_SEED,
    DEFAULT_SIZE,
    FIGURES,
    MAX_ARTICLES,
    MAX_SIZE,
    Cases,
    Part,
)
from contentgen_http.commands.console import DataDir, loading, progress_bar, readable_sources, warn, with_services

if TYPE_CHECKING:
    from contentgen_core.model.evaluation import Evaluation
    from contentgen_core.policies.evaluation.comparison import Limits
    from contentgen_core.use_cases.evaluation.sample import KnowledgeSample
    from contentgen_grounded.settings import Settings
    from contentgen_http.services import Services

FELL: Final = 1
NOT_RUN: Final = 2
LAST: Final = "last"


def evaluate(
    kb: Annotated[
        list[Path] | None,
        typer.Option("--kb", help="File or folder of sources, without a server; may be given several times."),
    ] = None,
    niche: Annotated[
        str | None, typer.Option(help="Instead: the knowledge base of this niche or agent, by its key.")
    ] = None,
    tenant: Annotated[str | None, typer.Option(help="Id of the tenant whose niche it is.", show_default=False)] = None,
    seed: Annotated[int, typer.Option(help="Decides which cases are made.")] = DEFAULT_SEED,
    size: Annotated[int, typer.Option(min=1, max=MAX_SIZE, help="Cases of a kind, at most.")] = DEFAULT_SIZE,
    articles: Annotated[
        int, typer.Option(min=0, max=MAX_ARTICLES, help="How many are written; 0: none.")
    ] = DEFAULT_ARTICLES,
    with_model: Annotated[
        bool,
        typer.Option(
            "--with-model", help="Have the model of the settings write them, which its vendor may charge for."
        ),
    ] = False,
    only: Annotated[
        str | None, typer.Option(help="Only these parts, with commas: coverage, retrieval, grounding, articles.")
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(help="JSON of an earlier run, or `last`: fail if a figure fell since.")
    ] = None,
    tolerance: Annotated[
        list[str] | None,
        typer.Option(help="How far a figure may worsen: for all (.02), or NAME=VALUE; may be given several times."),
    ] = None,
    fail_under: Annotated[
        list[str] | None, typer.Option(help="NAME=VALUE: fail if the figure is below; may be given several times.")
    ] = None,
    fail_over: Annotated[
        list[str] | None, typer.Option(help="NAME=VALUE: fail if the figure is above; may be given several times.")
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", help="File for the figures with all cases.")] = None,
    junit: Annotated[Path | None, typer.Option(help="File for JUnit XML: a test for each figure.")] = None,
    picture: Annotated[Path | None, typer.Option(help="File for a picture of the figures (SVG).")] = None,
    data_dir: DataDir = None,
) -> None:
    """Measure coverage, retrieval, grounding and articles on a copy of a knowledge base; compare with an earlier run.

    Ends with 1 if a figure fell, with 2 if it could not be measured. Stores nothing in the knowledge base."""
    try:
        asked = _Asked(
            kb=tuple(kb or ()),
            niche=niche,
            tenant=tenant,
            seed=seed,
            size=size,
            articles=articles,
            with_model=with_model,
            parts=_parts(only),
            baseline=baseline,
            data_dir=data_dir,
        )
        outputs = {name: path for name, path in (("json", json), ("junit", junit), ("picture", picture)) if path}
        fell = _run(asked, (tolerance or (), fail_under or (), fail_over or ()), outputs)
    except ContentgenError as error:
        warn("contentgen:", error.detail, typer.colors.RED)
        sys.exit(NOT_RUN)
    except KeyboardInterrupt:
        sys.exit(130)
    if fell:
        sys.exit(FELL)


@frozen
class _Asked:
    kb: tuple[Path, ...]
    niche: str | None
    tenant: str | None
    seed: int
    size: int
    articles: int
    with_model: bool
    parts: frozenset[Part]
    baseline: str | None
    data_dir: Path | None

    @property
    def subject(self) -> str:
        if self.kb:
            return ", ".join(str(path.expanduser().resolve()) for path in self.kb)
        return f"{self.niche} of {self.tenant}"


def _run(asked: _Asked, limits: tuple[Sequence[str], ...], outputs: Mapping[str, Path]) -> bool:
    """Whether a figure fell."""
    if bool(asked.kb) == bool(asked.niche):
        raise InvalidInput.of("kb", "give either --kb or --niche")
    if asked.niche and not asked.tenant:
        raise InvalidInput.of("tenant", "a niche belongs to a tenant: name it with --tenant")
    for name, path in outputs.items():
        if not path.resolve().parent.is_dir():
            raise InvalidInput.of(name, f"there is no folder {path.resolve().parent}")
    with loading("cli"):
        from contentgen_core.policies.evaluation.comparison import compare
        from contentgen_grounded import load_settings
        from contentgen_http.commands.evaluation.document import encoded
        from contentgen_http.commands.evaluation.junit import junit
        from contentgen_http.commands.evaluation.picture import picture
        from contentgen_http.commands.evaluation_report import show
        from contentgen_http.telemetry.logs import configure_logging

    allowed = _limits(*limits)
    settings = load_settings(data_dir=asked.data_dir)
    before = _before(asked, settings)
    configure_logging("warning")  # standard output is the table's
    run = _measure(asked, settings)
    compared = compare(run, before, allowed)
    written: dict[str, Callable[[], bytes]] = {
        "json": lambda: encoded(run, compared),
        "junit": lambda: junit(run, compared),
        "picture": lambda: picture(run, compared).encode(),
    }
    for name, path in outputs.items():
        _write(name, path, written[name]())
    _keep(settings, run)
    show(run, before, compared)
    return any(each.fell for each in compared)


def _write(name: str, path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InvalidInput.of(name, f"{path} cannot be written: {error.strerror}") from error


def _before(asked: _Asked, settings: Settings) -> Evaluation | None:
    """The run to compare with. Raises InvalidInput for one that asked other cases: nothing would be known by it."""
    from contentgen_core.policies.evaluation.comparison import other_cases
    from contentgen_http.commands.evaluation.document import load
    from contentgen_http.commands.evaluation.history import last

    if asked.baseline is None:
        return None
    cases = Cases(asked.subject, asked.seed, asked.size, asked.articles)
    if asked.baseline == LAST:
        found = last(settings.data_dir, cases)
        if found is None:
            warn("note:", "no earlier run of these cases is kept: there is nothing to compare with yet.")
        return found
    earlier = load(Path(asked.baseline))
    if differing := other_cases(cases, earlier.setup.cases):
        told = f"{asked.baseline} asked other cases: {'; '.join(differing)}. Ask for the same, or make a new baseline"
        raise InvalidInput.of("baseline", told)
    return earlier


def _measure(asked: _Asked, settings: Settings) -> Evaluation:
    import asyncio

    from contentgen_core.model.ids import TenantId
    from contentgen_core.use_cases.context import context_of_key
    from contentgen_grounded.evaluation import EvaluationOptions, evaluate, sample_of_sources

    options = EvaluationOptions(asked.seed, asked.size, asked.articles, asked.with_model, asked.parts)
    unread: list[str] = []

    async def of_folder() -> Evaluation:
        from contentgen_grounded import in_memory

        async with in_memory() as services:
            sources = readable_sources(services.ports.documents, list(asked.kb), unread)
            sample = await sample_of_sources(sources, asked.seed)
        return await measured(sample)

    async def of_niche(services: Services) -> KnowledgeSample:
        tenant_id = TenantId(asked.tenant or "")
        await services.people.tenants.owner_of(tenant_id)
        async with services.ports.unit_of_work() as tx:
            context = await context_of_key(tx, tenant_id, asked.niche or "")
        return await services.evaluation.sample(context.view, asked.seed)

    async def measured(sample: KnowledgeSample) -> Evaluation:
        with progress_bar() as bar:
            task = bar.add_task("making cases", total=None)
            return await evaluate(
                sample,
                asked.subject,
                options,
                settings=settings,
                on_progress=lambda what, done, of: bar.update(task, description=what, completed=done, total=of),
            )

    try:
        if asked.kb:
            return asyncio.run(of_folder())
        return asyncio.run(measured(with_services(asked.data_dir, of_niche)))
    finally:
        for line in unread:
            warn("not read:", line)


def _keep(settings: Settings, run: Evaluation) -> None:
    from contentgen_http.commands.evaluation.history import keep

    try:
        keep(settings.data_dir, run)
    except OSError as error:
        warn("note:", f"this run is not kept for --baseline last: {error}")


def _parts(only: str | None) -> frozenset[Part]:
    if only is None:
        return frozenset(Part)
    names = {name.strip() for name in only.split(",") if name.strip()}
    unknown = sorted(names - set(Part))
    if unknown or not names:
        raise InvalidInput.of("only", f"{', '.join(unknown) or 'nothing'} is no part: choose of {', '.join(Part)}")
    return frozenset(Part(name) for name in names)


def _limits(tolerance: Sequence[str], under: Sequence[str], over: Sequence[str]) -> Limits:
    from contentgen_core.policies.evaluation.comparison import TOLERANCE, Limits

    general = [each for each in tolerance if "=" not in each]
    return Limits(
        _number("tolerance", general[-1]) if general else TOLERANCE,
        _numbers_by_figure("tolerance", [each for each in tolerance if "=" in each]),
        _numbers_by_figure("fail-under", under),
        _numbers_by_figure("fail-over", over),
    )


def _numbers_by_figure(option: str, given: Sequence[str]) -> dict[str, float]:
    found = {}
    for each in given:
        name, _, value = each.partition("=")
        if name not in FIGURES:
            raise InvalidInput.of(option, f"{name} is no figure: choose of {', '.join(FIGURES)}")
        found[name] = _number(option, value)
    return found


def _number(option: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e6:
        raise InvalidInput.of(option, f"{text!r} is no number of at least 0")
    return value
