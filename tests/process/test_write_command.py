"""contentgen write: an article from a folder, in one command."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path

import pytest

from tests.process.service import run
from tests.process.test_commands import one_line, pdf


def sample_folder(directory: Path, niche: str) -> Path:
    """The demo's sources of a niche as Markdown files and one PDF."""
    directory.mkdir()
    lines = resources.files("contentgen_http").joinpath("demo", f"{niche}.jsonl").read_text("utf-8").splitlines()
    samples = [json.loads(line) for line in lines]
    for number, sample in enumerate(samples[1:]):
        content = f"# {sample['title']}\n\n{sample['text']}\n"
        (directory / f"{number}.md").write_text(content, encoding="utf-8")
    first = re.sub(r"^#+ ", "", samples[0]["text"], flags=re.MULTILINE)
    pdf(directory / "first.pdf", f"{samples[0]['title']}\n\n{first}".encode("latin-1", "ignore").decode("latin-1"))
    return directory


@pytest.mark.parametrize(
    ("niche", "language", "topic"),
    [
        ("home-energy", "en", "Choosing a heat pump for an older house"),
        ("cybersecurite-pme", "fr", "Protéger une petite entreprise contre l'hameçonnage"),
    ],
)
def test_one_command_writes_an_article_from_a_folder(tmp_path: Path, niche: str, language: str, topic: str) -> None:
    folder, output = sample_folder(tmp_path / "kb", niche), tmp_path / "article.md"
    done = run("write", topic, "--kb", folder, "--language", language, "-o", output)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert str(output) in done.stderr
    article = output.read_text("utf-8")
    assert article.lstrip().startswith("#")
    assert len(article.split()) > 300
    cited = {int(number) for number in re.findall(r"\[(\d+)\]", article)}
    assert cited
    assert cited == set(range(1, max(cited) + 1)), "sources are numbered as they are cited"
    supported = re.search(r"(\d+)% of sentences supported", done.stderr)
    assert supported is not None
    assert int(supported[1]) == 100


def test_write_names_what_no_source_has(tmp_path: Path) -> None:
    folder, output = tmp_path / "kb", tmp_path / "article.md"
    folder.mkdir()
    for place in ("Quorn", "Thirsk", "Selby"):
        text = f"In {place} the night bus runs hourly from 22:30 to 02:30. A ticket in {place} costs four pounds."
        (folder / f"{place}.md").write_text(f"# Night buses in {place}\n\n{text}\n", "utf-8")
    topic = "Night buses in Quorn, Thirsk and Whitby"
    done = run("write", topic, "--kb", folder, "--allow-low-coverage", "-o", output)
    assert done.returncode == 0, done.stderr
    assert "no source is on: Whitby" in done.stderr
    assert "Selby" not in output.read_text("utf-8")


def test_write_refuses_a_topic_that_the_sources_do_not_carry(tmp_path: Path) -> None:
    folder, output = sample_folder(tmp_path / "kb", "home-energy"), tmp_path / "article.md"
    said = one_line("write", "Medieval falconry and its laws", "--kb", folder, "-o", output)
    assert "cover this topic too little" in said
    assert "--allow-low-coverage" in said
    assert not output.exists()
    assert "no folder" in one_line("write", "Heat pumps", "--kb", folder, "-o", tmp_path / "no" / "article.md")
    assert "no such file" in one_line("write", "Heat pumps", "--kb", tmp_path / "gone")
