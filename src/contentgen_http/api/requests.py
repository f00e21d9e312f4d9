"""Parses requests: bodies, query parameters, the idempotency key. Every error names its field."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection
from functools import cache
from http import HTTPStatus
from typing import Any, Final, TypeAlias, TypeVar
from urllib.parse import parse_qsl

import msgspec
from attrs import frozen
from litestar import Request
from litestar.datastructures import State, UploadFile
from litestar.exceptions import ClientException, HTTPException

from contentgen_core.errors import FieldError, InvalidInput, NotFound
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.text.storable import NUL, NUL_FAULT, nul_paths
from contentgen_core.use_cases.idempotency import IdempotencyKey
from contentgen_http.api.body_faults import faults_of
from contentgen_http.api.schema_faults import fault_of
from contentgen_http.server.errors import UnsupportedMediaType
from contentgen_http.wire.base import MAX_ID, Body, Query

TenantRequest: TypeAlias = Request[Caller, None, State]

B = TypeVar("B", bound=Body)
Q = TypeVar("Q", bound=Query)

MAX_PARAMETERS: Final = 50

_JSON_TYPE: Final = re.compile(r"application/(?:[\w.+-]+\+)?json", re.IGNORECASE)
_INTEGER: Final = re.compile(r"-?[0-9]{1,18}")
_BOOLEANS: Final = {"true": True, "false": False}
_IDEMPOTENCY_KEY: Final = re.compile(r"[\x20-\x7e]{1,255}")


async def read_body(request: Request[Any, Any, Any], kind: type[B], *, optional: bool = False) -> B:
    """The JSON body as a struct. A missing Content-Type means JSON.

    `optional`: whether a missing body stands for an empty object. Raises UnsupportedMediaType, InvalidInput, and the
    framework's 413.
    """
    raw = await _json_text(request)
    if not raw.strip():
        if optional:
            return kind()
        raise InvalidInput.of("body", "a JSON object is needed")
    try:
        body: B = _decoder(kind).decode(raw)
    except msgspec.ValidationError as exc:
        raise InvalidInput(*_all_faults(exc, raw, kind)) from exc
    except msgspec.DecodeError as exc:
        raise InvalidInput.of("body", f"is not valid JSON: {exc}") from exc
    except RecursionError as exc:
        raise InvalidInput.of("body", "is nested too deeply") from exc
    if b"\\u0000" in raw:  # the only spelling of NUL in JSON; PostgreSQL does not accept it
        _refuse_nul(msgspec.to_builtins(body), kind)
    return body


def _all_faults(first: msgspec.ValidationError, raw: bytes, kind: type[Body]) -> tuple[FieldError, ...]:
    """The faults of a body that was refused; the first alone where the rest of it is no JSON."""
    try:
        return faults_of(first, msgspec.json.decode(raw), kind)
    except (msgspec.DecodeError, RecursionError):
        return (fault_of(str(first), kind),)


async def read_object(request: Request[Any, Any, Any], known: type[B]) -> tuple[B, dict[str, Any]]:
    """A free-form JSON object: the fields of `known`, checked, and all others unchanged. Raises as `read_body`."""
    raw = await _json_text(request)
    try:
        fields = msgspec.json.decode(raw, type=dict[str, Any])
    except msgspec.ValidationError as exc:
        raise InvalidInput.of("body", fault_of(str(exc), known).message) from exc
    except msgspec.DecodeError as exc:
        raise InvalidInput.of("body", f"is not valid JSON: {exc}") from exc
    except RecursionError as exc:
        raise InvalidInput.of("body", "is nested too deeply") from exc
    try:
        body = msgspec.convert(fields, known)
    except msgspec.ValidationError as exc:
        raise InvalidInput(*faults_of(exc, fields, known)) from exc
    if b"\\u0000" in raw:
        _refuse_nul(fields, known)
    names = {field.encode_name for field in msgspec.structs.fields(known)}
    return body, {name: value for name, value in fields.items() if name not in names}


async def _json_text(request: Request[Any, Any, Any]) -> bytes:
    content_type = request.headers.get("content-type", "").partition(";")[0].strip()
    if content_type and _JSON_TYPE.fullmatch(content_type) is None:
        raise UnsupportedMediaType(detail="Send the body as application/json.")
    return await request.body()


@frozen
class Upload:
    """A file from multipart/form-data, and the form's text fields by name."""

    file_name: str
    content: bytes
    fields: dict[str, str]


async def read_upload(request: Request[Any, Any, Any], file: str, texts: Collection[str]) -> Upload:
    """A form with one file.

    `file`: name of its field. `texts`: names of optional text fields. Raises UnsupportedMediaType, InvalidInput, and
    the framework's 413.
    """
    content_type = request.headers.get("content-type", "")
    if content_type.partition(";")[0].strip().lower() != "multipart/form-data":
        raise UnsupportedMediaType(detail="Send the body as multipart/form-data.")
    try:
        form = list((await request.form()).multi_items())
    except (ValueError, ClientException) as exc:
        if isinstance(exc, HTTPException) and exc.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            raise
        raise InvalidInput.of("body", "is not a valid form") from exc
    found: dict[str, object] = {}
    faults: list[FieldError] = []
    for name, value in form:
        if name in found:
            faults.append(FieldError(name, "is given more than once"))
        elif name != file and name not in texts:
            faults.append(FieldError(name, "is unknown"))
        elif isinstance(value, UploadFile) != (name == file):
            faults.append(FieldError(name, "must be a file" if name == file else "must be a text"))
        elif isinstance(value, str) and NUL in value:
            faults.append(FieldError(name, NUL_FAULT))
        found[name] = value
    sent = found.get(file)
    if sent is None:
        faults.append(FieldError(file, "is needed"))
    if faults or not isinstance(sent, UploadFile):
        raise InvalidInput(*faults)
    return Upload(sent.filename, await sent.read(), {n: v for n, v in found.items() if isinstance(v, str)})


def read_query(request: Request[Any, Any, Any], kind: type[Q]) -> Q:
    """The query parameters as a struct; unknown ones are ignored. Raises InvalidInput."""
    raw = request.scope["query_string"]
    readers = _readers(kind)
    values: dict[str, object] = {}
    faults: list[FieldError] = []
    for name, text in _pairs(raw):
        reader = readers.get(name)
        if reader is None:
            continue
        if name in values:
            faults.append(FieldError(name, "is given more than once"))
        elif NUL in text:
            faults.append(FieldError(name, NUL_FAULT))
        values[name] = reader(text)
    try:
        query = msgspec.convert(values, kind)
    except msgspec.ValidationError as exc:
        named = {fault.field for fault in faults}
        faults += [fault for fault in faults_of(exc, values, kind) if fault.field not in named]
    if faults:
        raise InvalidInput(*faults)
    return query


def _pairs(raw: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(raw.decode("latin-1"), keep_blank_values=True, errors="replace", max_num_fields=MAX_PARAMETERS)
    except ValueError as exc:
        raise InvalidInput.of("query", f"at most {MAX_PARAMETERS} parameters") from exc


def path_id(resource: str, text: str) -> str:
    """An id or key from the path. Raises NotFound, naming `resource`, for a text that cannot be one."""
    if len(text) > MAX_ID or not text.isprintable():
        raise NotFound(resource, text[:MAX_ID])
    return text


def idempotency_key(request: Request[Any, Any, Any], operation: str, body: object) -> IdempotencyKey | None:
    """The request's Idempotency-Key with a fingerprint of the request; None without one.

    `operation`: its id. `body`: decoded, so that white space, the order of fields and explicit defaults make no
    difference. Raises InvalidInput.
    """
    keys = request.headers.getall("idempotency-key", [])
    if not keys:
        return None
    if len(keys) > 1 or _IDEMPOTENCY_KEY.fullmatch(keys[0]) is None:
        raise InvalidInput.of("Idempotency-Key", "one value of 1 to 255 printable ASCII characters")
    content = operation.encode() + b"\n" + msgspec.json.encode(body)
    return IdempotencyKey(keys[0], hashlib.sha256(content).hexdigest())


@cache
def _decoder(kind: type[B]) -> msgspec.json.Decoder[B]:
    return msgspec.json.Decoder(kind)


@cache
def _readers(kind: type[Query]) -> dict[str, Callable[[str], object]]:
    """The parser of each parameter. A text that cannot be parsed is returned unchanged, for msgspec to refuse."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    return {field.encode_name: _reader(field.type) for field in info.fields}


def _reader(info: msgspec.inspect.Type) -> Callable[[str], object]:
    match info:
        case msgspec.inspect.Metadata():
            return _reader(info.type)
        case msgspec.inspect.IntType():
            return lambda text: int(text) if _INTEGER.fullmatch(text) else text
        case msgspec.inspect.BoolType():
            return lambda text: _BOOLEANS.get(text, text)
        case _:
            return lambda text: text


def _refuse_nul(body: object, kind: type[msgspec.Struct]) -> None:
    """Raises InvalidInput for NUL characters in its texts, with what the core refuses in it."""
    if next(nul_paths(body), None) is not None:
        raise InvalidInput(*faults_of(None, body, kind))
