"""The work of a process that makes text of pages, without starting one."""

from __future__ import annotations

import io

import msgspec
import pytest

from contentgen_adapters.pages import extraction_pool
from contentgen_adapters.pages.content import ExtractedPage, ExtractionJob, ExtractionRefused
from contentgen_core.testing.page_reader import STORY, article

_LENGTH = 8


def served(*jobs: ExtractionJob) -> list[bytes]:
    """The answers to jobs, as they come out of the process."""
    requests = b"".join(_framed(msgspec.msgpack.encode((job, 1.0))) for job in jobs)
    out = io.BytesIO()
    extraction_pool.serve(io.BytesIO(requests), out)
    rest, answers = out.getvalue().removeprefix(b"ready"), list[bytes]()
    while rest:
        end = _LENGTH + int.from_bytes(rest[:_LENGTH])
        answers.append(rest[_LENGTH:end])
        rest = rest[end:]
    return answers


def _framed(data: bytes) -> bytes:
    return len(data).to_bytes(_LENGTH) + data


@pytest.fixture(autouse=True)
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction_pool, "_allow_cpu", lambda seconds: None)  # it would be the limit of the tests


def test_jobs_are_answered_one_after_the_other() -> None:
    page, image = (
        ExtractionJob(article().encode(), "https://a.example/", "text/html"),
        ExtractionJob(b"\x00\x01", "https://a.example/b.png"),
    )
    one, two = (
        msgspec.msgpack.decode(answer, type=ExtractedPage | ExtractionRefused) for answer in served(page, image)
    )
    assert isinstance(one, ExtractedPage)
    assert STORY in one.text
    assert isinstance(two, ExtractionRefused)


def test_a_job_beyond_the_memory_has_an_empty_answer_and_the_next_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def extract(job: ExtractionJob) -> ExtractedPage:
        if job.data == b"much":
            raise MemoryError
        return ExtractedPage("title", "text")

    monkeypatch.setattr(extraction_pool, "extract", extract)
    answers = served(ExtractionJob(b"much", "https://a.example/"), ExtractionJob(b"little", "https://a.example/"))
    assert [bool(answer) for answer in answers] == [False, True]
