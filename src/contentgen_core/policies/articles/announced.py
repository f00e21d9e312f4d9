"""Find the pages whose content changed for readers with a change of a publication."""

from __future__ import annotations

from contentgen_core.model.publication import Publication


def changed_addresses(before: Publication, after: Publication) -> tuple[str, ...]:
    """The addresses where a post is now that was not there, is another, or is gone; none where readers see the same."""
    was, now = _public_content(before), _public_content(after)
    if was == now:
        return ()
    return tuple(dict.fromkeys(shown[0] for shown in (now, was) if shown is not None))


def _public_content(publication: Publication) -> tuple[str, str | None] | None:
    """Return address and content of a post that people can read."""
    if publication.url is None or not publication.is_public:
        return None
    return publication.url, publication.content_hash
