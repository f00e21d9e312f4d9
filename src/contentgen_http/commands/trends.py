"""`contentgen trends …`"""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column, Table

from contentgen_core.ports.repositories.trends import TrendQuery
from contentgen_http.commands.console import AsJson, DataDir, console, with_services
from contentgen_http.services import Services

trends_app = typer.Typer(help="What several sources speak of now.", no_args_is_help=True)

Niche = Annotated[
    str | None, typer.Option("--niche", help="Key of a preconfigured niche; else all.", show_default=False)
]


@trends_app.command("refresh")
def trends_refresh(niche: Niche = None, json_: AsJson = False, data_dir: DataDir = None) -> None:
    """Look for trends now: in the feeds, by searches where they are allowed, in the knowledge base."""

    async def run(services: Services) -> None:
        rows = [
            {
                "nicheKey": done.niche_key,
                "pages": done.pages,
                "alone": done.single_publisher,
                "joined": done.joined,
                "new": done.created,
                "trends": done.trends,
                "texts": done.texts,
                "faults": list(done.faults),
            }
            for done in await services.upkeep.refresh_trends(niche)
        ]
        if json_:
            typer.echo(json.dumps(rows))
            return
        shown = Table(
            "niche", "pages found", "topics of one publisher", "pages joined", "new trends", "trends", "texts"
        )
        for row in rows:
            *counts, faults = row.values()
            shown.add_row(*map(str, counts))
            for fault in faults if isinstance(faults, list) else ():
                console.print(f"not read: {fault}", markup=False, highlight=False, soft_wrap=True)
        Console().print(shown)

    with_services(data_dir, run)


@trends_app.command("list")
def trends_list(
    niche: Niche = None,
    limit: Annotated[int, typer.Option(help="Trends at most.", min=1, max=1_000)] = 20,
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Show the trends, the highest scores first."""

    async def run(services: Services) -> None:
        async with services.ports.unit_of_work() as tx:
            page = await tx.trends.page(TrendQuery(limit, niche))
        rows = [
            {
                "slug": trend.slug,
                "nicheKey": trend.niche_key,
                "score": trend.score,
                "publishers": trend.publishers,
                "category": trend.category.value,
                "lastSeenAt": trend.last_seen_at.isoformat(),
                "sample": trend.sample,
                "title": trend.title,
            }
            for trend in page.trends
        ]
        if json_:
            typer.echo(json.dumps(rows))
            return
        slug = Column("slug", overflow="fold")  # it is there to be copied
        shown = Table(slug, "niche", "score", "publishers", "category", "last seen", "sample", "title")
        for row in rows:
            shown.add_row(*(str(value) for value in row.values()))
        Console().print(shown)
        typer.echo(f"{len(rows)} of {page.total}")

    with_services(data_dir, run)
