"""Strapi's REST API: its answers and its errors."""

from __future__ import annotations

import re
from typing import Any, Final

import httpx
import msgspec
from attrs import frozen

from contentgen_adapters.publishing.target import read_as, usual_refusal
from contentgen_core.model.publication import PostStatus
from contentgen_core.ports.publishing import Refusal

NAME: Final = "strapi"


class One(msgspec.Struct):
    data: dict[str, Any]


class Many(msgspec.Struct):
    data: list[dict[str, Any]]


class Fault(msgspec.Struct):
    path: list[str | int] = []
    message: str = ""


class Details(msgspec.Struct):
    errors: list[Fault] = []


class Problem(msgspec.Struct):
    message: str = ""
    details: Details = msgspec.field(default_factory=Details)


class Refused(msgspec.Struct):
    error: Problem


@frozen
class Entry:
    """An entry of either version. `id`: the document id (5) or number (4). `fields`: flat."""

    id: str
    fields: dict[str, Any]

    @property
    def status(self) -> PostStatus:
        return PostStatus.PUBLISHED if self.fields.get("publishedAt") else PostStatus.DRAFT


def media_name(media: Any) -> str:
    """The name of a file as version 5 or 4 represents it."""
    if isinstance(media, dict) and isinstance(media.get("data"), dict):
        media = media["data"].get("attributes")
    name = media.get("name") if isinstance(media, dict) else None
    return name if isinstance(name, str) else ""


def faults_of(response: httpx.Response) -> list[Fault]:
    refused = read_as(response, Refused)
    return refused.error.details.errors if refused else []


def refusal_of(of_an_entry: re.Pattern[str], response: httpx.Response) -> Refusal:
    """A 404 for the collection means a wrong name, not a missing entry."""
    if response.status_code == 404 and not of_an_entry.search(response.request.url.path):
        return Refusal.INVALID
    return usual_refusal(response)
