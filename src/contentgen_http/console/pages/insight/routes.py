"""/console/insight: figures of the last months as pictures and tables, and the stages of an article."""

from __future__ import annotations

import asyncio
from typing import Final

from litestar import Response, get
from litestar.params import FromPath

from contentgen_core.model.ids import ArticleId
from contentgen_core.model.writing import FiguresBy
from contentgen_core.use_cases.insight.read_insights import Insights
from contentgen_http.api.requests import path_id
from contentgen_http.console.page import Page
from contentgen_http.console.pages.insight.view import charts, costs_in_words, shown_trace, table
from contentgen_http.console.rendering import POLICY
from contentgen_http.console.visit import Visit, texts_of

MONTHS: Final = (6, 12, 24)


class InsightPages(Page):
    @get("/insight")
    async def insight(self, request: Visit) -> Response[str]:
        insights, recent = await asyncio.gather(
            self._read(request), self.services.writing.insights.recent(request.user.caller)
        )
        texts = texts_of(request)
        return self.show(
            request,
            "insight/page.html",
            insights=insights,
            charts=charts(insights, texts),
            costs=lambda figures: costs_in_words(figures, texts),
            recent=recent,
            choices=[by for by in FiguresBy if by is not FiguresBy.TENANT or request.user.caller.platform_admin],
            months=MONTHS,
        )

    @get("/insight/table.csv")
    async def download(self, request: Visit) -> Response[str]:
        """The same figures for programs that compute with tables."""
        insights = await self._read(request)
        headers = {
            "Content-Disposition": f'attachment; filename="writing-by-{insights.by.value}.csv"',
            "Content-Security-Policy": POLICY,
            "Cache-Control": "no-store",
        }
        return Response(table(insights), media_type="text/csv", headers=headers)

    @get("/insight/articles/{id:str}")
    async def trace(self, request: Visit, id: FromPath[str]) -> Response[str]:
        """Where the time and the money of an article went."""
        article_id = ArticleId(path_id("article", id))
        trace = await self.services.writing.insights.trace(request.user.caller, article_id)
        return self.show(request, "insight/trace.html", article=trace.article, trace=shown_trace(trace.stages))

    async def _read(self, request: Visit) -> Insights:
        asked, months = request.query_params, request.query_params.get("months", "")
        by = asked.get("by", "")
        return await self.services.writing.insights(
            request.user.caller,
            FiguresBy(by) if by in set(FiguresBy) else FiguresBy.AGENT,
            next((count for count in MONTHS if str(count) == months), 12),
        )
