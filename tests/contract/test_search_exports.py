"""Exports of Search Console, Matomo and Plausible: every row is read, merged, or counted with the reason why not."""

from __future__ import annotations

import codecs
import csv
import io
import zipfile
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.search_exports import reading
from contentgen_adapters.search_exports.numbers import BadNumber, count_of, decimal_of
from contentgen_adapters.search_exports.reading import ProcessSearchExports, ThreadSearchExports, read_export
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_core.errors import UnreadableFile
from contentgen_core.model.ids import TenantId
from contentgen_core.model.search_report import MAX_ROWS, ExportTable, Period, ReportAbout, RowFault, SearchFigures
from contentgen_core.ports.search_exports import SearchExportReader

QUERIES = "Top queries,Clicks,Impressions,CTR,Position\nheat pump noise,12,400,3%,6.2\nheat pump cost,3,100,3%,11\n"
NOISE, COST = SearchFigures("heat pump noise", "", 12, 400, 6.2), SearchFigures("heat pump cost", "", 3, 100, 11.0)

cells = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=9)


def table_of(text: str | bytes, name: str = "Queries.csv") -> ExportTable:
    [table] = read_export(text.encode() if isinstance(text, str) else text, name).tables
    return table


def archive(**files: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as written:
        for name, text in files.items():
            written.writestr(f"export/{name}.csv", codecs.BOM_UTF8 + text.encode())
        written.writestr("__MACOSX/export/._Queries.csv", b"\x00\x05\x16\x07")
    return out.getvalue()


class TestLanguages:
    @pytest.mark.parametrize(
        "head",
        [
            "Top queries,Clicks,Impressions,CTR,Position",
            "Häufigste Suchanfragen,Klicks,Impressionen,CTR,Position",
            "Häufigste Suchanfragen;Klicks;Impressionen;Klickrate;Durchschnittliche Position",
            "Requêtes les plus fréquentes,Clics,Impressions,CTR,Position",
            "Consultas principales,Clics,Impresiones,CTR,Posición",
            "Query principali,Clic,Impressioni,CTR,Posizione media",
            "上位のクエリ,クリック数,表示回数,CTR,掲載順位",
            "Query\tClicks\tImpressions\tCTR\tPosition",
        ],
    )
    def test_queries(self, head: str) -> None:
        sign = next(sign for sign in ",;\t" if sign in head)
        table = table_of(f"{head}\n{sign.join(('heat pump noise', '12', '400', '3%', '6.2'))}\n")
        assert (table.about, table.figures, table.skipped) == (ReportAbout.QUERIES, (NOISE,), {})

    @pytest.mark.parametrize(
        "head",
        [
            "Top pages,Clicks,Impressions,CTR,Position",
            "Die häufigsten Seiten,Klicks,Impressionen,CTR,Position",
            "Häufigste Seiten,Klicks,Impressionen,CTR,Position",
            "Pages les plus populaires,Clics,Impressions,CTR,Position",
            "Páginas principales,Clics,Impresiones,CTR,Posición",
        ],
    )
    def test_pages(self, head: str) -> None:
        table = table_of(f"{head}\nhttps://www.example.org/noise?utm_source=x#top,12,400,3%,6.2\n")
        noise = SearchFigures("", "https://www.example.org/noise", 12, 400, 6.2)
        assert (table.about, table.figures) == (ReportAbout.PAGES, (noise,))

    def test_decimal_commas_and_grouped_thousands(self) -> None:
        text = "Häufigste Suchanfragen;Klicks;Impressionen;CTR;Position\nwärmepumpe;1.234;45 678;2,7 %;4,5\n"
        assert table_of(text).figures == (SearchFigures("wärmepumpe", "", 1234, 45678, 4.5),)

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
    def test_encodings(self, encoding: str) -> None:
        text = "Requêtes les plus fréquentes;Clics;Impressions\npompe à chaleur été;3;40\nbruit;1;9\n"
        assert [f.query for f in table_of(text.encode(encoding)).figures] == ["pompe à chaleur été", "bruit"]


class TestOtherSources:
    def test_queries_with_the_pages_that_were_shown_for_them(self) -> None:
        text = "query,page,clicks,impressions,ctr,position\nnoise,https://example.org/a,1,9,0.11,3\n"
        table = table_of(text)
        assert table.about is ReportAbout.BOTH
        assert table.figures == (SearchFigures("noise", "https://example.org/a", 1, 9, 3.0),)

    def test_keywords_of_matomo_have_visits_alone(self) -> None:
        text = "Label,Unique visitors,Visits,Actions\nheat pump,3,4,9\nKeyword not defined,70,80,90\n"
        table = table_of(text)
        assert table.figures == (SearchFigures("heat pump", "", 4),)
        assert table.skipped == {RowFault.WITHHELD: 1}

    def test_pages_of_plausible_are_paths(self) -> None:
        table = table_of("name,visitors,pageviews,bounce_rate\n/heat-pumps,30,44,51\n/noise,9,9,80\n", "pages.csv")
        assert table.about is ReportAbout.PAGES
        assert [(f.page, f.clicks, f.impressions) for f in table.figures] == [
            ("/heat-pumps", 30, None),
            ("/noise", 9, None),
        ]

    def test_rows_of_days_are_added_up_and_give_the_period(self) -> None:
        text = "Date,Query,Clicks,Impressions,Position\n2026-10-02,a,1,10,2\n2026-10-01,a,2,30,4\n"
        export = read_export(text.encode(), "x.csv")
        assert export.period == Period(date(2026, 10, 1), date(2026, 10, 2))
        assert export.tables[0].figures == (SearchFigures("a", "", 3, 40, 3.5),)
        assert export.tables[0].merged == 1


class TestComparisons:
    @pytest.mark.parametrize(
        ("head", "year"),
        [
            ("Top queries,Last 28 days Clicks,Previous 28 days Clicks,Last 28 days Impressions,Previous 28 days "
             "Impressions,Last 28 days Position,Previous 28 days Position", False),
            ("Requêtes les plus fréquentes,3 derniers mois Clics,3 mois précédents Clics,3 derniers mois "
             "Impressions,3 mois précédents Impressions,3 derniers mois Position,3 mois précédents Position", False),
            ("Query,Clicks,Same period last year Clicks,Impressions,Same period last year Impressions,Position,Same "
             "period last year Position", True),
            ("Query,11/1/26 - 11/28/26 Clicks,10/4/26 - 10/31/26 Clicks,11/1/26 - 11/28/26 Impressions,10/4/26 - "
             "10/31/26 Impressions,11/1/26 - 11/28/26 Position,10/4/26 - 10/31/26 Position", False),
        ],
    )  # fmt: skip
    def test_two_periods_in_one_table(self, head: str, year: bool) -> None:
        table = table_of(f"{head}\nnoise,5,8,100,90,4,3.5\nnew,1,,9,,7,\nold,,2,,30,,9\n")
        assert table.figures == (SearchFigures("noise", "", 5, 100, 4.0), SearchFigures("new", "", 1, 9, 7.0))
        assert table.former == (SearchFigures("noise", "", 8, 90, 3.5), SearchFigures("old", "", 2, 30, 9.0))
        assert (table.year_before, table.skipped, table.rows) == (year, {}, 3)


class TestBadRows:
    def test_each_is_counted_with_its_reason_and_line(self) -> None:
        rows = (
            ",1,2,3",
            "a,x,9,1",
            "b,9,3,1",
            "c,-1,5,1",
            "d,,,",
            f"{'e' * 501},1,2,3",
            "(not provided),1,2,3",
            "f,0,0,0",
        )
        table = table_of("\n".join(("Query,Clicks,Impressions,Position", *rows, "")))
        assert table.figures == (SearchFigures("f", "", 0, 0, None),)
        assert table.skipped == {
            RowFault.NO_NAME: 1,
            RowFault.BAD_NUMBER: 3,
            RowFault.MORE_CLICKS: 1,
            RowFault.TOO_LONG: 1,
            RowFault.WITHHELD: 1,
        }
        assert (table.rows, [line for line, _ in table.examples]) == (8, [2, 3, 4, 5, 6, 7, 8])
        assert table_of("Page,Clicks\nheat pumps,4\n/a,5\n").skipped == {RowFault.NO_PAGE: 1}

    def test_the_same_query_is_merged_however_it_is_spelt(self) -> None:
        table = table_of("Query,Clicks,Impressions,Position\nHeat  Pump,1,10,1\nheat pump,2,30,3\n")
        assert (table.figures, table.merged) == ((SearchFigures("heat pump", "", 3, 40, 2.5),), 1)

    @given(st.lists(st.lists(cells, max_size=6), max_size=9))
    def test_no_row_is_lost(self, rows: list[list[str]]) -> None:
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([["Query", "Clicks", "Impressions", "Position"], *rows])
        table = table_of(out.getvalue())
        assert len(table.figures) + table.merged + sum(table.skipped.values()) == table.rows
        assert table.rows <= len(rows) + sum(cell.count("\n") + cell.count("\r") for row in rows for cell in row)
        assert all((f.impressions is None or 0 <= f.clicks <= f.impressions) and f.query for f in table.figures)

    @given(st.text(max_size=12))
    def test_any_text_is_a_number_or_refused(self, text: str) -> None:
        for read in (count_of, decimal_of):
            with suppress(BadNumber):
                assert (read(text) or 0) >= 0

    @given(st.integers(0, 10**12), st.sampled_from([",", ".", " ", "\u00a0", "\u202f", "’"]))
    def test_whole_numbers_are_read_with_any_grouping(self, number: int, sign: str) -> None:
        assert count_of(f"{number:,}".replace(",", sign)) == number


class TestFiles:
    def test_an_archive_of_search_console(self) -> None:
        content = archive(
            Queries=QUERIES,
            Pages="Top pages,Clicks,Impressions,CTR,Position\nhttps://example.org/a,9,90,10%,2\n",
            Countries="Country,Clicks,Impressions,CTR,Position\nFrance,9,90,10%,2\n",
            Chart="Date,Clicks,Impressions,CTR,Position\n2026-10-02,3,4,75%,1\n2026-10-01,3,4,75%,1\n",
            Filters="Filter,Value\nSearch type,Web\n",
        )
        export = read_export(content, "example.org-Performance-on-Search-2026-11-01.zip")
        assert [(table.file, table.about) for table in export.tables] == [
            ("Queries.csv", ReportAbout.QUERIES),
            ("Pages.csv", ReportAbout.PAGES),
        ]
        assert export.tables[0].figures == (NOISE, COST)
        assert export.period == Period(date(2026, 10, 1), date(2026, 10, 2))
        assert export.unused == ("Countries.csv", "Chart.csv", "Filters.csv")

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"Country,Clicks,Impressions\nFrance,1,2\n",
            b"Top queries,Impressions\na,2\n",
            b"just a text",
            b"PK\x03\x04 damaged",
            b"\x89PNG\r\n\x1a\n\x00\x00",
            archive(Filters="Filter,Value\nSearch type,Web\n"),
            b"Query,Clicks\n" + b"a,1\n" * (MAX_ROWS + 1),
        ],
    )
    def test_what_is_no_export_is_refused(self, content: bytes) -> None:
        with pytest.raises(UnreadableFile):
            read_export(content, "x.csv")

    def test_an_archive_that_unpacks_to_too_much_is_not_unpacked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reading, "MAX_UNPACKED", 1_000)
        with pytest.raises(UnreadableFile, match="more than"):
            read_export(archive(Queries=QUERIES + "a,1,2,3,4\n" * 1_000), "x.zip")


@pytest.fixture(params=["thread", "process"])
async def reader(request: pytest.FixtureRequest) -> AsyncIterator[SearchExportReader]:
    async with aclosing(ProcessPool(1)) as pool:
        yield ThreadSearchExports() if request.param == "thread" else ProcessSearchExports(pool)


async def test_both_readers_read_the_same(reader: SearchExportReader) -> None:
    export = await reader.read(QUERIES.encode(), "Queries.csv", TenantId("one"))
    assert export == read_export(QUERIES.encode(), "Queries.csv")
    with pytest.raises(UnreadableFile, match="no table of queries"):
        await reader.read(b"nothing", "x.csv", TenantId("one"))
