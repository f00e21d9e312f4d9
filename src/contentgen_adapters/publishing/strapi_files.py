"""Pictures of a text in Strapi's media library."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, Final

from attrs import frozen

from contentgen_adapters.publishing.illustrations import Kept
from contentgen_adapters.publishing.pictures import Picture, digest_of, file_stem
from contentgen_core.model.publishing_target import Post

_OF_AN_IMAGE: Final = {
    "name": str, "url": str, "hash": str, "ext": str, "mime": str, "provider": str, "createdAt": str, "updatedAt": str,
    "width": int | float, "height": int | float, "size": int | float,
}  # fmt: skip
"""What Strapi asks of the file in a block that is a picture."""


@frozen
class FilesOfBlocks:
    """The gallery of a post in blocks, which hold the records of their pictures.

    `base`: of the addresses of files. `body`: the blocks that the entry has. `upload`: from (the name of a file, its
    picture, the alternative text) to the record of the file.
    """

    post: Post
    base: str
    body: Any
    upload: Callable[[str, Picture, str], Awaitable[dict[str, Any]]]

    async def known(self, names: Collection[str]) -> Mapping[str, Kept]:
        blocks = self.body if isinstance(self.body, list) else []
        found = (block.get("image") for block in blocks if isinstance(block, dict))
        files = [file for file in found if isinstance(file, dict) and _is_image(file)]
        digests = {digest_of(name): name for name in names}
        named = ((digests.get(str(file["name"]).rpartition(".")[0][-10:]), file) for file in files)
        return {name: self._to_kept(file) for name, file in named if name is not None}

    async def keep(self, name: str, picture: Picture, alt: str) -> Kept:
        return self._to_kept(await self.upload(f"{file_stem(self.post, name)}.{picture.extension}", picture, alt))

    def _to_kept(self, file: Mapping[str, Any]) -> Kept:
        url = address_of(file, self.base)
        return Kept(url, {**file, "url": url} if _is_image(file) else None)


def address_of(file: Mapping[str, Any], base: str) -> str:
    """The whole address of a file; Strapi leaves the beginning out of those that it has itself."""
    url = str(file.get("url") or "")
    return f"{base}{url}" if url.startswith("/") else url


def _is_image(file: Mapping[str, Any]) -> bool:
    return all(isinstance(file.get(name), kind) for name, kind in _OF_AN_IMAGE.items())
