"""GraphQL targets: a failure may come with status 200, as `errors` or, for a change that was refused, `userErrors`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec
from attrs import field, frozen

from contentgen_adapters.publishing.target import Target
from contentgen_core.ports.publishing import PublishFailed, Refusal

T = TypeVar("T")

_MOST_SAID: Final = 300
_USUAL: Final[dict[str, Refusal]] = {
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
    """Of a mutation's own `userErrors`."""

    message: str
    field: list[str] | None = None
    code: str | None = None


@frozen
class GraphQL:
    """Questions and changes at one endpoint, the base of `target`. `wait`: the seconds to wait after being throttled,
    from the answer's `extensions`. `hints`: what is said behind the service's own words, by code."""

    target: Target
    wait: Callable[[Mapping[str, Any]], float | None] = lambda _: None
    hints: Mapping[str, str] = field(factory=dict)

    async def query(self, text: str, kind: type[T], variables: Mapping[str, Any] | None = None) -> T:
        """The `data` of a question, which is repeated after a passing failure. Raises PublishFailed."""
        return await self._asked(text, variables or {}, kind, reads=True)

    async def mutate(self, text: str, kind: type[T], variables: Mapping[str, Any]) -> T:
        """The `data` of a change, asked for once. Raises PublishFailed."""
        return await self._asked(text, variables, kind, reads=False)

    def check(self, errors: Sequence[UserError]) -> None:
        """Raises PublishFailed for the `userErrors` of a change: nothing was changed."""
        if errors:
            said = "; ".join(f"{'.'.join(e.field)}: {e.message}" if e.field else e.message for e in errors)
            raise self._failed(said, [e.code or "" for e in errors])

    async def _asked(self, text: str, variables: Mapping[str, Any], kind: type[T], *, reads: bool) -> T:
        response = await self.target.call("POST", "", json={"query": text, "variables": variables}, reads=reads)
        answer = self.target.decoded(response, _Answer, reads=reads)
        if answer.errors:
            raise self._refused(answer.errors, answer.extensions, reads=reads)
        try:
            return msgspec.json.decode(answer.data, type=kind)
        except msgspec.DecodeError as error:
            message = "its answer has not the form that was expected"
            raise PublishFailed(self.target.name, message, Refusal.INVALID, outcome_unknown=not reads) from error

    def _refused(self, errors: list[_Error] | str, extensions: Mapping[str, Any], *, reads: bool) -> PublishFailed:
        if isinstance(errors, str):
            return self._failed(errors, [])
        said = "; ".join(error.message for error in errors)
        codes = [str(error.extensions.get("code", "")) for error in errors]
        failure = self._failed(said, codes)
        if failure.refusal is Refusal.LIMITED:
            return self._failed(said, codes, retry_after=self.wait(extensions))
        if failure.refusal is Refusal.TRANSIENT:
            return self._failed(said, codes, outcome_unknown=not reads)
        return failure

    def _failed(
        self, said: str, codes: Sequence[str], *, outcome_unknown: bool = False, retry_after: float | None = None
    ) -> PublishFailed:
        code = next((code for code in codes if code in _USUAL), "")
        said = " ".join(self.target.without_secrets(said).split())[:_MOST_SAID] or "it gave no reason"
        hint = f" ({self.hints[code]})" if code in self.hints else ""
        refusal = _USUAL.get(code, Refusal.INVALID)
        return PublishFailed(
            self.target.name, said + hint, refusal, outcome_unknown=outcome_unknown, retry_after=retry_after
        )
