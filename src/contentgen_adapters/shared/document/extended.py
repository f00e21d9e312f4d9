"""Extensions of Markdown beyond CommonMark, as tokens that every format knows: footnotes, task lists, the alignment of
columns, and addresses without brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from itertools import islice
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from contentgen_adapters.shared.document.inline import element, web_page
from contentgen_adapters.shared.text.markdown import parser

TO_DO: Final = "\u2610 "
DONE: Final = "\u2611 "
"""What a task list's items begin with."""
_TASK: Final = re.compile(r"\[([ xX])\][ \t]+(?=\S)")
_NOTE: Final = re.compile(r"\[\^([^\s\[\]^]{1,100})\]")
_ALIGNMENT: Final = re.compile(r"text-align:(left|center|right)")
_BARE: Final = re.compile(r"(?<![\w@/.:-])(?:https?://|www\.)[^\s<>\"'`\[\]{}|\\^]{2,2000}", re.IGNORECASE)
_BEHIND: Final = ".,:;!?*_~"


def document_tokens(markdown: str, found: dict[str, Any] | None = None) -> list[Token]:
    """Footnotes are superscript numbers, and a numbered list at the end; tasks begin with a ballot box; cells have the
    attribute `align`; bare addresses are links. In time that grows with the length alone. `found`: takes what
    the parser found beside the tokens: the definitions of links as `references`."""
    tokens = _with_notes(_parser().parse(markdown, {} if found is None else found))
    for at, token in enumerate(tokens):
        if token.type in ("th_open", "td_open"):
            _align(token)
        elif token.type == "inline" and token.children:
            if at > 1 and tokens[at - 2].type == "list_item_open":
                _tick(token.children[0])
            token.children = list(_with_links(token.children))
    return tokens


def _parser() -> MarkdownIt:
    made = parser().use(footnote_plugin, inline=False, move_to_end=False)
    made.inline.ruler.at("footnote_ref", _reference)  # the plugin's own looks ahead without bounds
    return made


def _reference(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("[^", state.pos):
        return False
    found = _NOTE.match(state.src, state.pos, state.posMax)
    if found is None or f":{found[1]}" not in state.env.get("footnotes", {}).get("refs", {}):
        return False
    if not silent:
        state.push("footnote_ref", "", 0).meta = {"label": found[1]}
    state.pos = found.end()
    return True


def _with_notes(tokens: Iterable[Token]) -> list[Token]:
    main: list[Token] = []
    notes: dict[str, list[Token]] = {}
    within: list[tuple[str, list[Token]]] = []
    for token in tokens:
        if token.type == "footnote_reference_open":
            within.append((str(token.meta["label"]), []))
        elif token.type == "footnote_reference_close":
            label, body = within.pop()
            notes.setdefault(label, body)
        else:
            (within[-1][1] if within else main).append(token)
    if not notes:
        return main
    numbers: dict[str, int] = {}
    _number(main, numbers)
    return [*main, *_list_of(notes, numbers)]


def _number(tokens: Iterable[Token], numbers: dict[str, int]) -> None:
    """Replace a footnote's label by its number. `numbers`: of the notes by label, in the order in which they are first
    named.
    """
    for token in tokens:
        if token.type == "inline" and any(child.type == "footnote_ref" for child in token.children or ()):
            token.children = [made for child in token.children or () for made in _with_numbers(child, numbers)]


def _with_numbers(child: Token, numbers: dict[str, int]) -> Iterator[Token]:
    if child.type != "footnote_ref":
        yield child
        return
    number = numbers.setdefault(child.meta["label"], len(numbers) + 1)
    yield Token("sup_open", "sup", 1)
    yield Token("text", "", 0, content=str(number))
    yield Token("sup_close", "sup", -1)


def _list_of(notes: dict[str, list[Token]], numbers: dict[str, int]) -> Iterator[Token]:
    """List the footnotes. Footnotes that nothing refers to come last, so that no text is lost."""
    yield Token("hr", "hr", 0, markup="---", block=True)
    yield Token("ordered_list_open", "ol", 1, block=True)
    labels, others = [*numbers], iter(notes)
    for at in range(len(notes)):
        if at == len(labels):
            labels.append(next(label for label in others if label not in numbers))
            numbers[labels[at]] = at + 1
        note = notes[labels[at]]
        _number(note, numbers)  # a note may name others
        labels += reversed([*islice(reversed(numbers), len(numbers) - len(labels))])
        yield Token("list_item_open", "li", 1, block=True)
        yield from note
        yield Token("list_item_close", "li", -1, block=True)
    yield Token("ordered_list_close", "ol", -1, block=True)


def _align(cell: Token) -> None:
    found = _ALIGNMENT.fullmatch(str(cell.attrGet("style") or ""))
    if found is not None:
        cell.attrs = {"align": found[1]}


def _tick(first: Token) -> None:
    found = _TASK.match(first.content) if first.type == "text" else None
    if found is not None:
        first.content = (TO_DO if found[1] == " " else DONE) + first.content[found.end() :]


def _with_links(children: Sequence[Token]) -> Iterator[Token]:
    depth = 0
    for child in children:
        if child.type in ("link_open", "link_close"):
            depth += child.nesting
        elif child.type == "html_inline" and (tag := element(child.content))[0] == "a":
            depth += -1 if tag[1] else 1
        if child.type == "text" and depth <= 0:
            yield from _split_at_links(child)
        else:
            yield child


def _split_at_links(token: Token) -> Iterator[Token]:
    at = 0
    for found in _BARE.finditer(token.content):
        shown = _without_what_follows(found[0])
        address = web_page(shown if "://" in shown else f"http://{shown}")
        if address is None or ("://" not in shown and shown.count(".") < 2):
            continue
        yield from _text(token, token.content[at : found.start()])
        yield Token("link_open", "a", 1, attrs={"href": address}, markup="linkify", info="auto")
        yield from _text(token, shown)
        yield Token("link_close", "a", -1, markup="linkify", info="auto")
        at = found.start() + len(shown)
    yield from _text(token, token.content[at:]) if at else (token,)


def _text(token: Token, content: str) -> Iterator[Token]:
    if content:
        made: Any = copy(token)
        made.content = content
        yield made


def _without_what_follows(address: str) -> str:
    """Return the address without the punctuation of the sentence, and without closing brackets that were opened before
    it.
    """
    surplus = address.count(")") - address.count("(")
    end = len(address)
    while end and (address[end - 1] in _BEHIND or (address[end - 1] == ")" and surplus > 0)):
        surplus -= address[end - 1] == ")"
        end -= 1
    return address[:end]
