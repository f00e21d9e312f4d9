"""A stand-in for a language model: it writes English sections from the passages that its prompts hold, in slightly
other words, and plants errors among them, each known by its kind. The same prompt gets the same answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain, cycle, islice
from typing import Final
from zlib import crc32

import msgspec
from attrs import field, frozen

from benchmarks.quality.grounding_controls import ANALYSIS
from contentgen_adapters.llm import wire
from contentgen_adapters.llm.conversation import Message, OutputSchema, Reply
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.evaluation.alterations import changed, numbers_altered, remove_asides, replace_name
from contentgen_core.policies.text.facts import names

EDITS: Final = ("figure", "name", "negation", "contrary", "word")
PLANTED: Final = (*EDITS, "other subject", "invention")
REPETITIONS: Final = ("repetition of a section", "repetition within one")
KINDS: Final = (*PLANTED, *REPETITIONS)
"""Of errors: a figure or name changed, a verb negated, a word turned into its contrary or exchanged for one of another
subject; a whole sentence of another subject, one that no source carries; what the section before says said again, and
what the same section does. All cite a passage that the section was given."""
EVERY: Final = 3
"""An error follows so many true sentences."""
FEWEST_WORDS: Final = 6
INVENTIONS: Final = (
    "Most experts agree that {topic} will lose its importance within a generation.",
    "Surveys show that the general public knows surprisingly little about {topic}.",
    "Without private donations, {topic} would hardly have received any attention.",
    "Critics have long called the usual account of {topic} one-sided.",
    "Many teachers consider {topic} an ideal introduction for beginners.",
)
CONTRARIES: Final = {
    "after": "before",
    "before": "after",
    "early": "late",
    "late": "early",
    "first": "last",
    "last": "first",
    "more": "less",
    "less": "more",
    "most": "least",
    "high": "low",
    "higher": "lower",
    "lower": "higher",
    "small": "large",
    "larger": "smaller",
    "increase": "decrease",
    "increased": "decreased",
    "north": "south",
    "south": "north",
    "east": "west",
    "west": "east",
    "always": "seldom",
    "often": "never",
    "old": "new",
    "new": "old",
    "won": "lost",
    "open": "closed",
    "with": "without",
    "success": "failure",
    "successful": "failed",
    "allowed": "forbade",
    "began": "ended",
}
REWORDED: Final = {
    "because": "since",
    "began": "started",
    "large": "big",
    "many": "numerous",
    "several": "a number of",
    "near": "close to",
    "whereas": "while",
    "built": "constructed",
    "shows": "indicates",
    "used": "employed",
    "allowed": "permitted",
    "often": "frequently",
    "important": "significant",
    "main": "principal",
    "got": "received",
    "ended": "finished",
    "helped": "aided",
    "created": "made",
    "although": "though",
    "required": "needed",
}
_SOURCE: Final = re.compile(r"<<<BEGIN SOURCE (S\d+)>>>\n(.*?)\n<<<END SOURCE", re.DOTALL)
_REFUSED: Final = re.compile(r"<<<BEGIN REFUSED>>>\n(.*?)\n<<<END REFUSED", re.DOTALL)
_VERB: Final = re.compile(r"\b(is|are|was|were|can|could|has|had|will|would|did|does)\b(?! not)")
_CONTRARY: Final = re.compile(rf"\b({'|'.join(CONTRARIES)})\b")
_LONG: Final = re.compile(r"\b[a-z]{7,}\b")
_OPENING: Final = re.compile(r"^(In \d{4}|In the [^,]{4,30}), (?=[A-Z]|the |a )")
_SECTIONS: Final = re.compile(r"Length: about (\d+) words in (\d+) sections")
_WORDS: Final = re.compile(r"Words: about (\d+)")
_PART: Final = re.compile(r"Heading: Part (\d+)")
_TOPIC: Final = re.compile(r"Topic: (.*)")
_UNUSABLE: Final = re.compile(r"https?:|www\.|\[|\]|#")


@frozen
class Written:
    """A sentence of the stand-in. `kind`: of KINDS, "" for a true one. `of`: the sentence of a passage that it is made
    of; for a repetition the sentence of the earlier section.
    """

    text: str
    label: str
    kind: str = ""
    of: str = ""


@frozen
class StandIn:
    """A chat backend. `foreign`: by topic, sentences of other subjects. `written`: by topic, all that it wrote, by
    text."""

    foreign: Mapping[str, Sequence[str]]
    written: dict[str, dict[str, Written]] = field(factory=dict, init=False)

    provider: Final = "stand-in"
    model: Final = "stand-in"
    prices: Final = None

    async def complete(self, system: str, messages: Sequence[Message], output: OutputSchema) -> Reply:
        asked = messages[0].whole
        answer = _plan(asked) if output.name == wire.PlanAnswer.__name__ else self._section(asked)
        text = msgspec.json.encode(answer).decode()
        return Reply(text, len(asked) // 4, len(text) // 4)

    def _section(self, asked: str) -> wire.SectionAnswer:
        topic = _topic(asked)
        first = _drafted(asked, topic, self.foreign[topic])
        self.written.setdefault(topic, {}).update({it.text: it for it in first})
        refused = _refused(asked)
        stays = {it.of for it in first if not it.kind and it.text not in refused}
        if not first:
            return _answer([Written(f"Nothing is known of {_part(asked)}.", "")])
        return _answer(list(chain.from_iterable(_again(it, refused, stays) for it in first)))


def _topic(asked: str) -> str:
    return found[1].strip() if (found := _TOPIC.search(asked)) else ""


def _part(asked: str) -> int:
    return int(found[1]) if (found := _PART.search(asked)) else 1


def _sources(asked: str) -> dict[str, list[str]]:
    """Return by label the sentences of a passage, without its title and heading."""
    return {label: sentences_in(text.rpartition("\n\n")[2]) for label, text in _SOURCE.findall(asked)}


def sentences_in(text: str) -> list[str]:
    """The sentences of an English text that can stand in an article."""
    found = (" ".join(span.of(text).split()) for span in ANALYSIS.sentences(text, Language.EN))
    return [it for it in found if len(it.split()) >= FEWEST_WORDS and it[-1] in ".!?" and not _UNUSABLE.search(it)]


def _plan(asked: str) -> wire.PlanAnswer:
    """The sources in their order, in equal parts. Each part but the first also has the first source of the one before,
    from which the stand-in repeats."""
    found = _SECTIONS.search(asked)
    words, most = (int(found[1]), int(found[2])) if found else (900, 5)
    sources = _sources(asked)
    labels = list(sources)
    size = max(1, -(-len(labels) // most))
    parts = [labels[i : i + size] for i in range(0, len(labels), size)] or [[]] * most
    sections = []
    for n, own in enumerate(parts, start=1):
        points = [" ".join(sources[label][0].split()[:8]) for label in own if sources[label]] or [
            f"Nothing is known of {n}"
        ]
        repeated = parts[n - 2][:1] if n > 1 else []
        sections.append(wire.SectionPlan(f"Part {n}", "Tell it.", points[:5], [*own, *repeated], words // len(parts)))
    topic = _topic(asked)
    seo = wire.SeoPlan(topic[:60], topic[:150], [])
    return wire.PlanAnswer(topic, "What the sources tell.", "Readers", sections, [], seo)


def _drafted(asked: str, topic: str, foreign: Sequence[str]) -> list[Written]:
    """Draft true sentences of all passages, with an error after every few of them, of each kind in turn."""
    part = _part(asked)
    words = int(found[1]) if (found := _WORDS.search(asked)) else 150
    sources = _sources(asked)
    labels = list(sources)
    own, before = (labels[:-1], labels[-1:]) if part > 1 and len(labels) > 1 else (labels, [])
    kinds = islice(cycle(PLANTED), (part + crc32(topic.encode())) % len(PLANTED), None)
    drafted: list[Written] = []
    true = 0
    for label in own:
        share, said = words / len(own), 0
        for sentence in sources[label]:
            if said >= share:
                break
            drafted.append(Written(_paraphrased(sentence), label, of=sentence))
            said, true = said + len(sentence.split()), true + 1
            if true % EVERY == 0 and (error := _error(kinds, sources[label], label, topic, foreign)):
                drafted.append(error)
    repeated = [(label, sources[label][0]) for label in before if sources[label]]
    drafted += [Written(_reworded(it), label, REPETITIONS[0], _paraphrased(it)) for label, it in repeated]
    second = [it for it in drafted if not it.kind][1:2]
    drafted += [Written(_reworded(it.of), it.label, REPETITIONS[1], it.text) for it in second]
    return drafted


def _error(
    kinds: Iterator[str], sentences: Sequence[str], label: str, topic: str, foreign: Sequence[str]
) -> Written | None:
    """Make an error of the next kind that the passage allows. The last suitable sentence of a passage is changed."""
    key = crc32(f"{topic}{label}{''.join(sentences)[:200]}".encode())
    for kind in islice(kinds, len(PLANTED)):
        if kind == "invention":
            return Written(INVENTIONS[key % len(INVENTIONS)].format(topic=topic), label, kind)
        if kind == "other subject":
            return Written(foreign[key % len(foreign)], label, kind)
        for sentence in reversed(sentences):
            changed = _edited(kind, sentence, sentences, foreign[key % len(foreign)])
            if changed is not None:
                return Written(changed, label, kind, sentence)
    return None


def _edited(kind: str, sentence: str, sentences: Sequence[str], other: str) -> str | None:
    """The sentence with one change, None where it has nothing to change. `other`: a sentence of another subject."""
    match kind:
        case "figure":
            return next(numbers_altered(sentence, None), None)
        case "negation":
            return changed(_VERB.search(sentence), lambda verb: f"{verb} not")
        case "contrary":
            return changed(_CONTRARY.search(sentence), CONTRARIES.__getitem__)
        case "name":
            return replace_name(sentence, _names(sentence), _names(other), " ".join(sentences))
        case _:
            own, others = (sorted(_LONG.findall(text), key=len) for text in (sentence, other))
            return replace_name(sentence, own, others, " ".join(sentences))


def _names(text: str) -> list[str]:
    found = names(text, ANALYSIS.tokens(text, Language.EN), Language.EN)
    return [name.text for name in found if not any(c.isdigit() for c in name.text)]


def _paraphrased(sentence: str) -> str:
    """Return the sentence without text in brackets, and with some words exchanged."""
    return re.sub(r"\b[a-z]+\b", lambda found: REWORDED.get(found[0], found[0]), remove_asides(sentence))


def _reworded(sentence: str) -> str:
    """Return the sentence with its time moved to the end."""
    found = _OPENING.match(sentence)
    if found is None:
        return f"Put differently, {sentence}"
    rest = sentence[found.end() :]
    when = found[1][0].lower() + found[1][1:]
    return f"{rest[0].upper()}{rest[1:].rstrip('.')} {when}."


def _refused(asked: str) -> frozenset[str]:
    found = _REFUSED.search(asked)
    return frozenset(line[2:] for line in found[1].splitlines() if line.startswith("- ")) if found else frozenset()


def _again(it: Written, refused: Set[str], told: Set[str]) -> list[Written]:
    """Return a sentence for the next try: of the refused ones a third is corrected, a third left out, a third repeated.

    `told`: sentences of the passages that the section already contains.
    """
    if it.text not in refused:
        return [it]
    choice = crc32(it.text.encode()) % 3
    mended = [Written(it.of, it.label, of=it.of)] if it.of not in told and it.kind in ("", *EDITS) else []
    return (mended, [], [it])[choice]


def _answer(sentences: Sequence[Written]) -> wire.SectionAnswer:
    told = [wire.Sentence(it.text, [it.label] if it.label else [], quotation=False) for it in sentences]
    return wire.SectionAnswer([wire.Paragraph(told[i : i + 5], bullets=False) for i in range(0, len(told), 5)])
