"""Render the printable page of an evidence file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

from contentgen_adapters.shared.document.sources import RIGHT_TO_LEFT
from contentgen_core.model.grounding import LEXICAL
from contentgen_core.model.vocabulary import Language

MOST_SENTENCES: Final = 500
"""Of a page; the attached file has all."""
_AI_USE: Final = {
    "none": "No language model wrote any of it, as far as is recorded: people did, or sentences are copied from the"
    " sources.",
    "assisted": "A language model wrote some of it, and people wrote in it too.",
    "generated": "A language model wrote it.",
}
_CAPITAL: Final = re.compile(r"[A-Z]")
_STYLE: Final = """
@page { size: A4; margin: 16mm 15mm 18mm; }
body { font: 9pt/1.4 'DejaVu Sans', 'Noto Sans', sans-serif; color: #1a1a1a; overflow-wrap: anywhere; }
h1 { font-size: 15pt; line-height: 1.25; margin: 0 0 3mm; }
h2 { font-size: 11pt; margin: 6mm 0 2mm; break-after: avoid; }
table { border-collapse: collapse; width: 100%; } thead { display: table-header-group; }
th, td { border: .3pt solid #b8b8b4; padding: 1mm 1.5mm; text-align: left; vertical-align: top; }
th { background: #f2f2ef; font-weight: 600; } tr { break-inside: avoid; }
th[scope=row] { width: 34mm; } .n { width: 8mm; } .verdict { width: 27mm; } .by { width: 38mm; }
code { font-family: 'DejaVu Sans Mono', monospace; font-size: 7pt; } small { color: #444; }
.about { border: .3pt solid #b8b8b4; padding: 2mm 3mm; margin: 0 0 4mm; }
"""


def evidence_page(document: Mapping[str, Any], digest: str) -> str:
    """An HTML document for A4 paper, in English around texts in the article's language.

    `document`: the signed one. `digest`: SHA-256 of the whole file in hexadecimal digits.
    """
    article = document["article"]
    texts = _Texts(Language(article["language"]))
    parts = (
        f"<h1>Evidence: {texts.own(article['title'])}</h1>",
        _about(document, digest),
        _facts(document),
        _sentences(document, texts),
        _table("Sources", ("No.", "Document", "How and when it came in", "SHA-256"), _sources(document, texts)),
        _table("Publications", ("Where", "State", "Published", "Read back"), _publications(document)),
        _table("Versions", ("No.", "Made", "Approved", "First out", "Text"), _versions(document)),
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Evidence: {escape(article["title"])}</title><style>{_STYLE}</style></head>
<body>
{"".join(parts)}</body>
</html>
"""


class _Texts:
    """Texts in the language of the article, in its direction."""

    def __init__(self, language: Language) -> None:
        self._open = f'<span lang="{language.value}" dir="{"rtl" if language in RIGHT_TO_LEFT else "ltr"}">'

    def own(self, text: str) -> str:
        return f"{self._open}{escape(text)}</span>"


def _about(document: Mapping[str, Any], digest: str) -> str:
    keys = f"{document['service']}/.well-known/jwks.json" if "service" in document else "/.well-known/jwks.json"
    return (
        '<p class="about">These pages show what the signed file <code>evidence.json</code> says, which is attached to'
        " this PDF. That file is signed, and not these pages: take it out, and verify it with <code>contentgen evidence"
        f" verify evidence.json --keys keys.json</code>; the keys are at <code>{escape(keys)}</code> of the service."
        f" SHA-256 of the file: <code>{escape(digest)}</code></p>\n"
    )


def _facts(document: Mapping[str, Any]) -> str:
    article, text, writing = document["article"], document["text"], document["writing"]
    approval, comments, grounding = document["approval"], document["comments"], document.get("grounding")
    software = document["software"]
    rows = [
        ("Made", f"{_time(document['madeAt'])} by {escape(software['name'])} {escape(software['version'])}"),
        ("Article", f"<code>{escape(article['id'])}</code>, {escape(article['status'])}"),
        ("Text", f"SHA-256 <code>{escape(text['textHash'])}</code>{_version(text)}"),
        ("Content", f"SHA-256 <code>{escape(text['contentHash'])}</code>"),
        ("Written by", _AI_USE[writing["aiUse"]] + _model(writing)),
        ("Approval", _approval(approval)),
        *(("Correction", _correction(one)) for one in document.get("corrections", ())),
        ("Comments", f"{comments['open']} open, {comments['resolved']} resolved"),
    ]
    if grounding is not None:
        totals = grounding["totals"]
        rows.append(
            (
                "Grounding",
                f"{escape(grounding['level'])}; {totals['sentences']} sentences checked, "
                f"{int(totals['citationRecall'] * 100 + 1e-9)} % supported by what they cite; judged by "
                f"{'rules' if grounding['verifier'] == LEXICAL else escape(grounding['verifier'])}",
            )
        )
    cells = "".join(f'<tr><th scope="row">{name}</th><td>{value}</td></tr>\n' for name, value in rows)
    return f"<table>{cells}</table>\n"


def _version(text: Mapping[str, Any]) -> str:
    number = f"; version {text['version']}" if "version" in text else ""
    return number + (f", first out {_time(text['publishedAt'])}" if "publishedAt" in text else "")


def _model(writing: Mapping[str, Any]) -> str:
    return f" Writer: {escape(writing['model'])}." if "model" in writing else ""


def _approval(approval: Mapping[str, Any]) -> str:
    reason = f": {escape(approval['reason'])}" if "reason" in approval else ""
    return "; ".join(filter(None, (_words(approval["state"]), _person_and_time(approval, "by", "at")))) + reason


def _correction(correction: Mapping[str, Any]) -> str:
    """Describe a correction: what the former file stated and this one does not."""
    return (
        f"A former file named {correction['sentences']} of these sentences as reviewed by "
        f"{_person_and_time(correction, 'by', 'at')}. {escape(correction['reason'])}"
    )


def _sentences(document: Mapping[str, Any], texts: _Texts) -> str:
    sentences = document["sentences"]
    rows = [
        (
            str(number),
            texts.own(sentence["text"]) + _citations_html(sentence.get("check")),
            _verdict(sentence.get("check")),
            "<br>".join(_person_and_time(review, "by", "at") for review in sentence["reviews"]),
        )
        for number, sentence in enumerate(sentences[:MOST_SENTENCES], 1)
    ]
    left = len(sentences) - len(rows)
    more = f"<p>Further {left} sentences are in the attached file.</p>\n" if left > 0 else ""
    return _table("Sentences", ("No.", "Sentence", "Verdict", "Reviewed"), rows) + more


def _citations_html(check: Mapping[str, Any] | None) -> str:
    return "".join(f" [{number}]" for number in check["citations"]) if check else ""


def _verdict(check: Mapping[str, Any] | None) -> str:
    if check is None:
        return "not checked"
    stale = f"<br>source {escape(check['stale'])} since" if "stale" in check else ""
    return _words(check["verdict"]) + stale


def _sources(document: Mapping[str, Any], texts: _Texts) -> Iterable[tuple[str, ...]]:
    for source in document["sources"]:
        named = [texts.own(source["title"])]
        named += [escape(source[name]) for name in ("author", "published") if name in source]
        named += [f"<code>{escape(source['url'])}</code>"] if "url" in source else []
        named += ["private document"] if source["private"] else []
        came = [escape(source["origin"])] if "origin" in source else []
        times = (("addedAt", "added"), ("fetchedAt", "fetched"), ("revisedAt", "revised"))
        came += [f"{word} {_time(source[name])}" for name, word in times if name in source]
        came += [f"{escape(source['stale'])} since"] if "stale" in source else []
        hashes = (("passageHash", "passage"), ("documentHash", "document"))
        digests = [f"{word} <code>{escape(source[name])}</code>" for name, word in hashes if name in source]
        yield str(source["number"]), "<br>".join(named), "<br>".join(came), "<br>".join(digests)


def _publications(document: Mapping[str, Any]) -> Iterable[tuple[str, ...]]:
    for one in document["publications"]:
        where = [escape(one.get("integration", one["provider"]))]
        where += [f"<code>{escape(one['url'])}</code>"] if "url" in one else []
        state = ", ".join(escape(one[name]) for name in ("status", "postStatus") if name in one)
        read = [_time(one["checkedAt"])] if "checkedAt" in one else []
        read += [escape(one["finding"])] if "finding" in one else []
        published = _time(one["publishedAt"]) if "publishedAt" in one else ""
        yield "<br>".join(where), state, published, "<br>".join(read)


def _versions(document: Mapping[str, Any]) -> Iterable[tuple[str, ...]]:
    for version in document["versions"]:
        yield (
            str(version["number"]),
            f"{escape(version['cause'])}<br>{_person_and_time(version, 'by', 'at')}",
            _person_and_time(version, "approvedBy", "approvedAt"),
            _time(version["publishedAt"]) if "publishedAt" in version else "",
            f"<code>{escape(version['textHash'])}</code>",
        )


def _person_and_time(of: Mapping[str, Any], person: str, at: str) -> str:
    """Return the person and the time, as far as they are known."""
    who = [escape(of[person].get("name", of[person]["id"]))] if person in of else []
    return ", ".join([*who, *([_time(of[at])] if at in of else [])])


def _words(value: str) -> str:
    """A value of the interface in words: `inReview` as `in review`."""
    return escape(_CAPITAL.sub(lambda found: f" {found[0].lower()}", value))


def _time(text: str) -> str:
    """Return a time to the minute, in UTC."""
    return f"{escape(text[:10])} {escape(text[11:16])} UTC"


def _table(heading: str, columns: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    """Return a table as HTML; empty without rows. `rows`: cells as HTML."""
    lines = [f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>\n" for row in rows]
    if not lines:
        return ""
    head = "".join(f'<th scope="col"{_width(name)}>{escape(name)}</th>' for name in columns)
    return (
        f"<h2>{escape(heading)}</h2>\n<table><thead><tr>{head}</tr></thead><tbody>\n{''.join(lines)}</tbody></table>\n"
    )


def _width(column: str) -> str:
    widths = {"No.": "n", "Verdict": "verdict", "Reviewed": "by"}
    return f' class="{widths[column]}"' if column in widths else ""
