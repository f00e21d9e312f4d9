"""Whether two sentences say the opposite: one negates what the other states, or one rises where the other falls.

Words, not grammar: what it finds lowers a score and never raises one. Every language has its negations, as far as they
are words of their own (Czech and Turkish also negate within a verb); seven have directions as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.text import Token
from contentgen_core.model.vocabulary import Language

# How many content words after a negation it still reaches.
NEGATION_REACH: Final = 3
# Two sentences with this share of their words in common are one, but for what was changed in it.
SAME_SENTENCE: Final = 0.8
# Words at which a new clause, out of a negation's reach, mostly begins. Punctuation does the same.
_CONJUNCTIONS: Final = frozenset(
    ("and", "but", "et", "mais", "und", "aber", "sondern", "y", "pero", "e", "ma", "mas", "en", "maar")
)


@frozen
class _Words:
    """`negations` are whole words; `up` and `down` are beginnings of words (from four letters on) or whole words;
    `reach`: how many content words after a negation it bears on, 0 where it follows what it bears on."""

    negations: frozenset[str]
    up: tuple[str, ...]
    down: tuple[str, ...]
    reach: int = NEGATION_REACH


def _words(negations: str, up: str = "", down: str = "", reach: int = NEGATION_REACH) -> _Words:
    return _Words(frozenset(negations.split()), tuple(up.split()), tuple(down.split()), reach)


_LANGUAGES: Final[dict[Language, _Words]] = {
    Language.EN: _words(
        "no not never neither nor none without cannot isn't aren't wasn't weren't don't doesn't didn't can't won't "
        "couldn't shouldn't lack lacks absence fails failed fail unable unlikely independent",
        "increas rise rises rising rose grow grew higher more greater gain improv enhanc promot activat upregulat "
        "raise expand accelerat elevat strengthen longer faster induc stimulat",
        "decreas reduc lower fall falls fell drop declin less fewer loss inhibit suppress downregulat impair slow "
        "diminish weaken shorter block prevent attenuat lessen worsen",
    ),
    Language.FR: _words(
        "non ne n pas jamais aucun aucune sans ni nul nulle guère absence",
        "augment hausse croît croiss amélior élev progress accélér renforc accroît plus supérieur monte",
        "dimin baiss rédui recul chut inférieur moins ralent affaibl dégrad détérior décroît",
    ),
    Language.DE: _words(
        "nicht kein keine keinen keinem keiner keines nie niemals ohne weder",
        "steig stieg erhöh wachs wuchs zunehm zunahme mehr höher verbesser beschleunig verstärk länger",
        "sink sank senk fällt fiel abnehm abnahme weniger niedriger geringer reduzier verringer verschlechter kürzer",
    ),
    Language.ES: _words(
        "no nunca jamás sin ningún ninguna ninguno ni tampoco",
        "aument crec sube suben subió mejor más mayor elev aceler incrementa",
        "dismin reduc baja bajan bajó menos menor empeor desaceler",
    ),
    Language.IT: _words(
        "non mai senza nessun nessuno nessuna né",
        "aument cresc miglior più maggiore superior acceler",
        "dimin ridu cala meno minore inferior peggior rallent",
    ),
    Language.PT: _words(
        "não nunca jamais sem nenhum nenhuma nem",
        "aument cresc melhor mais maior eleva aceler",
        "dimin reduz redu baixa menos menor pior desaceler",
    ),
    Language.NL: _words(
        "niet geen nooit zonder noch",
        "stijg steeg toene groei meer hoger verbeter versnel",
        "daal daling afne minder lager vermin verslecht vertraag",
    ),
    Language.PL: _words("nie nigdy bez żaden żadna żadne żadnego żadnej ani brak"),
    Language.SV: _words("inte ej aldrig ingen inget inga varken"),
    Language.NO: _words("ikke aldri uten ingen intet verken"),
    Language.DA: _words("ikke ej aldrig uden ingen intet hverken"),
    Language.FI: _words("ei en et emme ette eivät eikä eivätkä"),
    Language.CS: _words("ne není nejsou nebyl nebyla nebylo nebyly nemá nemají nemůže nikdy bez žádný žádná žádné ani"),
    Language.HU: _words("nem nincs nincsenek ne sem soha"),
    Language.RO: _words("nu niciodată fără nici niciun nicio"),
    Language.EL: _words("δεν δε μην μη όχι ποτέ χωρίς ούτε κανένας καμία κανένα"),
    Language.TR: _words("değil değildir yok yoktur hiç hiçbir asla", reach=0),
    Language.UK: _words("не ні ніколи без немає жоден жодна жодне"),
    Language.RU: _words("не ни никогда без нет"),
    Language.ZH: _words(
        "不 没 没有 不是 不会 不能 不需要 不必 不要 不再 不得 从不 并不 并非 无 无法 未 未经 沒 沒有 不會 不需 無 無法"
    ),
    Language.JA: _words("ない ません せん しない なし", reach=0),
    Language.KO: _words(
        "않다 않는다 않습니다 않는 않은 않고 않으며 없다 없는 없이 없습니다 없으며 아니다 아닙니다 아닌", reach=0
    ),
    Language.TH: _words("ไม่ ไม่มี ไม่ใช่ ไม่ได้ มิได้"),
    Language.VI: _words("không chưa chẳng"),
    Language.ID: _words("tidak bukan tanpa belum tak jangan"),
    Language.HI: _words("नहीं न मत बिना", reach=0),
    Language.AR: _words("لا ليس ليست لم لن بدون غير ولا وليس وليست ولم ولن"),
    Language.HE: _words("לא אין בלי ללא אינו אינה אינם אינן ולא ואין ואינו ואינה"),
}


def negates(sentence: Sequence[Token], source: Sequence[Sequence[Token]], language: Language) -> bool:
    """Whether what a negation bears on, on one side, stands without any on the other."""
    words = _LANGUAGES.get(language)
    if words is None:
        return False
    ours, theirs = _negated([sentence], words), _negated(source, words)
    return _contradicts(ours, theirs) or _contradicts(theirs, ours)


def turns(sentence: Sequence[Token], source: Sequence[Sequence[Token]], language: Language) -> bool:
    """Whether a direction of the sentence is not in the source, and the source has the other one in its place."""
    words = _LANGUAGES.get(language)
    if words is None:
        return False
    ours = [token.text.casefold() for token in sentence]
    theirs = [token.text.casefold() for tokens in source for token in tokens]
    up, down = _among(ours, words.up), _among(ours, words.down)
    source_up, source_down = _among(theirs, words.up), _among(theirs, words.down)
    return bool((up - source_up and source_down - down) or (down - source_down and source_up - up))


def recasts(sentence: Sequence[Token], source: Sequence[Sequence[Token]], language: Language) -> bool:
    """Whether the sentence is one of the source's almost word for word, with more or fewer negations in it."""
    words = _LANGUAGES.get(language)
    if words is None:
        return False
    ours, our_negations = _counted(sentence, words)
    best, differs = SAME_SENTENCE, False
    for tokens in source:
        theirs, their_negations = _counted(tokens, words)
        common = (ours & theirs).total() / max(1, ours.total(), theirs.total())
        if common >= best:
            best, differs = common, our_negations != their_negations
    return differs


@frozen
class _Negated:
    """A text's content terms: all, those within reach of a negation, and for each negation those it reaches."""

    terms: frozenset[str]
    reached: frozenset[str]
    reaches: tuple[tuple[str, ...], ...]


def _contradicts(one: _Negated, other: _Negated) -> bool:
    # A negation bears most surely on the first word after it: only the first one that both sides have decides.
    heads = (next((term for term in reach if term in other.terms), None) for reach in one.reaches)
    return any(head is not None and head not in other.reached for head in heads)


def _negated(sentences: Sequence[Sequence[Token]], words: _Words) -> _Negated:
    terms: set[str] = set()
    reaches: list[list[str]] = []
    for tokens in sentences:
        reach, end = 0, 0
        for token in tokens:
            word = token.text.casefold().replace("’", "'")
            if token.span.start - end > 1 or word in _CONJUNCTIONS:
                reach = 0
            end = token.span.end
            if word in words.negations or word.endswith("n't"):
                reach = words.reach
                reaches.append([])
            elif not token.stop:
                terms.add(token.term)
                if reach > 0:
                    reaches[-1].append(token.term)
                reach -= 1
    reached = frozenset(term for reach_ in reaches for term in reach_)
    return _Negated(frozenset(terms), reached, tuple(tuple(r) for r in reaches))


def is_recast(sentence: Sequence[Token], source: Sequence[Token]) -> bool:
    """Whether two sentences are one almost word for word."""
    ours, theirs = (Counter(token.text.casefold() for token in tokens) for tokens in (sentence, source))
    return (ours & theirs).total() >= SAME_SENTENCE * max(1, ours.total(), theirs.total())


def _counted(tokens: Sequence[Token], words: _Words) -> tuple[Counter[str], int]:
    """A sentence's words without its negations, and how many negations it has."""
    texts = Counter(token.text.casefold().replace("’", "'") for token in tokens)
    negations = [text for text in texts if text in words.negations or text.endswith("n't")]
    count = sum(texts.pop(text) for text in negations)
    return texts, count


def _among(texts: Sequence[str], beginnings: tuple[str, ...]) -> set[str]:
    found: set[str] = set()
    for text in texts:
        if text.startswith(beginnings):  # in one step, since hardly any word does
            found.update(b for b in beginnings if text == b or (len(b) >= 4 and text.startswith(b)))
    return found
