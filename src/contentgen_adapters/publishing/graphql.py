"""Calls to GraphQL targets. Failures come with status 200, as `errors` or, for a refused mutation, as `userErrors`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec
from attrs import field, frozen

from contentgen_adapters.publishing.target import Target
from contentgen_core.ports.publishing import PublishFailed, Refusal

T = TypeVar("T")

_MAX_REASON: Final = 300
_REFUSALS: Final[dict[str, Refusal]] = {
    "UNAUTHENTICATED": Refusal.CREDENTIALS,
    "FORBIDDEN": Refusal.PERMISSION,
    "ACCESS_DENIED": Refusal.PERMISSION,
    "NOT_FOUND": Refusal.GONE,
    "BAD_USER_INPUT": Refusal.INVALID,
    "TAKEN": Refusal.CONFLICT,
    "THROTTLED": Refusal.LIMITED,
    "TOO_MANY_REQUESTS": Refusal.LIMITED,
    "INTERNAL_SERVER_ERROR": Refusal.TRANSIENT,
}


class _Error(msgspec.Struct):
    message: str = ""
    extensions: dict[str, Any] = msgspec.field(default_factory=dict)


class _Answer(msgspec.Struct):
    data: msgspec.Raw = msgspec.Raw(b"null")
    errors: list[_Error] | str | None = None
    extensions: dict[str, Any] = msgspec.field(default_factory=dict)


class UserError(msgspec.Struct):
    """An entry of a mutation's `userErrors`."""

    message: str
    field: list[str] | None = None
    code: str | None = None


@frozen
class GraphQL:
    """Queries and mutations at one endpoint.

    `target`: its base is the endpoint. `wait(extensions)`: the seconds to wait after throttling, from the answer's
    `extensions`. `hints`: texts appended to the service's message, by error code.
    """

    target: Target
    wait: Callable[[Mapping[str, Any]], float | None] = lambda _: None
    hints: Mapping[str, str] = field(factory=dict)

    async def query(self, text: str, kind: type[T], variables: Mapping[str, Any] | None = None) -> T:
        """The `data` of a query, retried after a transient failure. `kind`: its type. Raises PublishFailed."""
        return await self._execute(text, variables or {}, kind, reads=True)

    async def mutate(self, text: str, kind: type[T], variables: Mapping[str, Any]) -> T:
        """The `data` of a mutation, never retried. `kind`: its type. Raises PublishFailed."""
        return await self._execute(text, variables, kind, reads=False)

    def check(self, errors: Sequence[UserError]) -> None:
        """Raises PublishFailed if a mutation has `userErrors`: it had no effect."""
        if errors:
            reason = "; ".join(f"{'.'.join(e.field)}: {e.message}" if e.field else e.message for e in errors)
            raise self._failure(reason, [e.code or "" for e in errors])

    async def _execute(self, text: str, variables: Mapping[str, Any], kind: type[T], *, reads: bool) -> T:
        response = await self.target.call("POST", "", json={"query": text, "variables": variables}, reads=reads)
        answer = self.target.decoded(response, _Answer, reads=reads)
        if answer.errors:
            raise self._errors_failure(answer.errors, answer.extensions, reads=reads)
        try:
            return msgspec.json.decode(answer.data, type=kind)
        except msgspec.DecodeError as error:
            message = "its answer has not the form that was expected"
            raise PublishFailed(self.target.name, message, Refusal.INVALID, outcome_unknown=not reads) from error

    def _errors_failure(
        self, errors: list[_Error] | str, extensions: Mapping[str, Any], *, reads: bool
    ) -> PublishFailed:
        if isinstance(errors, str):
            return self._failure(errors, [])
        reason = "; ".join(error.message for error in errors)
        codes = [str(error.extensions.get("code", "")) for error in errors]
        failure = self._failure(reason, codes)
        if failure.refusal is Refusal.LIMITED:
            return self._failure(reason, codes, retry_after=self.wait(extensions))
        if failure.refusal is Refusal.TRANSIENT:
            return self._failure(reason, codes, outcome_unknown=not reads)
        return failure

    def _failure(
        self, reason: str, codes: Sequence[str], *, outcome_unknown: bool = False, retry_after: float | None = None
    ) -> PublishFailed:
        code = next((code for code in codes if code in _REFUSALS), "")
        reason = " ".join(self.target.without_secrets(reason).split())[:_MAX_REASON] or "it gave no reason"
        hint = f" ({self.hints[code]})" if code in self.hints else ""
        refusal = _REFUSALS.get(code, Refusal.INVALID)
        return PublishFailed(
            self.target.name, reason + hint, refusal, outcome_unknown=outcome_unknown, retry_after=retry_after
        )
