"""`contentgen trends …`"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_http.commands.console import AsJson, DataDir, group, print_rows, print_table, warn, with_services

if TYPE_CHECKING:
    from contentgen_http.services import Services

trends_app = group()

Niche = Annotated[
    str | None, typer.Option("--niche", help="Key of a preconfigured niche; else all.", show_default=False)
]


@trends_app.command("refresh")
def trends_refresh(niche: Niche = None, json_: AsJson = False, data_dir: DataDir = None) -> None:
    """Look for trends now: in the feeds, by searches where they are allowed, in the knowledge base."""

    async def run(services: Services) -> None:
        refreshed = await services.upkeep.refresh_trends(niche)
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
            for done in refreshed
        ]
        if json_:
            typer.echo(json.dumps(rows))
            return
        for done in refreshed:
            for fault in done.faults:
                warn("not read:", fault)
        headings = ("niche", "pages found", "topics of one publisher", "pages joined", "new trends", "trends", "texts")
        print_table(headings, (list(row.values())[: len(headings)] for row in rows))

    with_services(data_dir, run)


@trends_app.command("list")
def trends_list(
    niche: Niche = None,
    limit: Annotated[int, typer.Option(help="Trends at most.", min=1, max=1_000)] = 20,
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Show the trends, the highest scores first."""
    from contentgen_core.ports.repositories.trends import TrendQuery, Trends

    async def run(services: Services) -> None:
        async with services.ports.unit_of_work() as tx:
            page = await tx[Trends].page(TrendQuery(limit, niche))
        rows = [
            {
                "slug": trend.slug,
                "nicheKey": trend.niche_key,
                "score": trend.score,
                "publishers": trend.publishers,
                "category": trend.category.value,
                "lastSeenAt": trend.last_seen_at,
                "sample": trend.sample,
                "title": trend.title,
            }
            for trend in page.trends
        ]
        headings = ("slug", "niche", "score", "publishers", "category", "last seen", "sample", "title")
        print_rows(rows, headings, json_)
        if not json_:
            typer.echo(f"{len(rows)} of {page.total}")

    with_services(data_dir, run)
