"""Parses what S3 answers when a bucket is listed. Runs in a process of its own: see `shared.processes`."""

from __future__ import annotations

import io
from typing import Final
from urllib.parse import unquote_plus

import msgspec

from contentgen_adapters.shared.fetched_document import RawDocument
from contentgen_adapters.shared.processes.pool import Parser

MOST: Final = 1_000


class Listing(msgspec.Struct, frozen=True):
    """A page of a listing. `objects`: their keys, with their entity tags; `next_token`: for the next page."""

    objects: list[tuple[str, str]] = msgspec.field(default_factory=list)
    next_token: str | None = None


def parse_listing(raw: RawDocument) -> Listing | None:
    """Parse a listing; None for a document that is not one. CPU-bound; entities are not expanded."""
    from lxml import etree  # type: ignore[import-untyped]

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.parse(io.BytesIO(raw.data), parser).getroot()
    except etree.XMLSyntaxError:
        return None
    if etree.QName(root).localname != "ListBucketResult":
        return None
    objects: list[tuple[str, str]] = []
    token: str | None = None
    encoded = False
    truncated = False
    for element in root:
        name = etree.QName(element).localname if isinstance(element.tag, str) else ""
        match name:
            case "Contents":
                texts = {etree.QName(c).localname: c.text or "" for c in element if isinstance(c.tag, str)}
                objects.append((texts.get("Key", ""), texts.get("ETag", "").strip('"')))
            case "NextContinuationToken":
                token = element.text
            case "IsTruncated":
                truncated = (element.text or "").strip() == "true"
            case "EncodingType":
                encoded = (element.text or "").strip() == "url"
    if encoded:
        objects = [(unquote_plus(key), etag) for key, etag in objects]
    if len(objects) > MOST or (truncated and not token):
        return None  # there is more, and no way to it
    return Listing(objects, token if truncated else None)


LISTING: Final[Parser[RawDocument, Listing | None]] = Parser(
    parse_listing,
    msgspec.msgpack.Decoder(Listing | None),
    RawDocument(b"<ListBucketResult/>", "https://storage.example"),
)
