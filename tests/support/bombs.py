"""Small files that take a reader very long, or very much memory."""

from __future__ import annotations

import io
import zipfile
import zlib


def csv() -> bytes:
    """2 KB of quotes, over which a regular expression goes back and forth for ever."""
    return b'x,"y",z\n' + b'"' * 2000 + b" a"


def pdf_of_one_page(times: int = 1_999, operators: int = 20_000) -> bytes:
    """Return some KB in which one page is referenced again and again."""
    return _pdf(b"3 0 R " * times, times, b"BT /F1 12 Tf (pump) Tj ET\n" * operators)


def pdf_of_operators(size: int = 25_000_000) -> bytes:
    """Return some ten KB that unpack to operators of one page."""
    return _pdf(b"3 0 R", 1, b"BT /F1 9 Tf (a) Tj ET\n" * (size // 22))


def docx(size: int = 55_000_000) -> bytes:
    """Return some ten KB of a Word document whose text is one element in another, many times over."""
    text = b"<w:p><w:r><w:t>a</w:t></w:r></w:p>"
    body = (
        b'<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
        + text * (size // len(text))
        + b"</w:body></w:document>"
    )
    types = (
        b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        b'<Default Extension="xml" ContentType="application/xml"/></Types>'
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("[Content_Types].xml", types)
        archive.writestr("word/document.xml", body)
    return out.getvalue()


def html(attributes: int = 150_000) -> bytes:
    """Return some MB of one element with ever other attributes, which a parser compares with each other."""
    return b"<html><body><p " + b" ".join(b"attribute%d=1" % n for n in range(attributes)) + b">x</p></body></html>"


def _pdf(kids: bytes, count: int, content: bytes) -> bytes:
    packed = zlib.compress(content, 9)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%b]/Count %d>>" % (kids, count),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%b\nendstream" % (len(packed), packed),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out = io.BytesIO(b"")
    out.write(b"%PDF-1.4\n")
    places = []
    for number, written in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(b"%d 0 obj%b endobj\n" % (number, written))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    for place in places:
        out.write(b"%010d 00000 n \n" % place)
    out.write(b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start))
    return out.getvalue()
