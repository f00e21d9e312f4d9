"""The form of an integration: the fields that its provider declares, and what was typed into them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from contentgen_core.errors import InvalidInput
from contentgen_core.model.integration import Integration
from contentgen_core.model.publishing_target import FieldType, ProviderInfo, SettingField
from contentgen_http.console.visit import Form

CREDENTIALS: Final = "credentials"
SETTINGS: Final = "settings"
_LINES: Final = frozenset({FieldType.LIST, FieldType.MAP})


@frozen
class ShownField:
    """A field as a form shows it. `name`: of its input; `text`: what stands in it, never a secret; `kept`: a secret is
    stored; `fault`: what is wrong with it."""

    declared: SettingField
    name: str
    text: str
    checked: bool = False
    kept: bool = False
    fault: str = ""

    @property
    def lines(self) -> bool:
        """Whether it takes several lines."""
        return self.declared.type in _LINES


def shown_fields(
    info: ProviderInfo, integration: Integration | None, form: Form | None, faults: Mapping[str, str]
) -> tuple[list[ShownField], list[ShownField]]:
    """Those of the credentials and of the settings: as they were typed, else as they are stored, else by default."""
    kept = () if integration is None else integration.secret_fields

    def shown(where: str, declared: SettingField, stored: Mapping[str, Any]) -> ShownField:
        name, value = f"{where}.{declared.name}", stored.get(declared.name, declared.default)
        typed = None if form is None else form.text(name)
        checked = bool(value) if form is None else name in form
        text = as_text(value) if typed is None else typed
        secret = where == CREDENTIALS and declared.secret
        return ShownField(
            declared,
            name,
            "" if secret else text,
            checked=checked,
            kept=secret and declared.name in kept,
            fault=faults.get(name, ""),
        )

    credentials = {} if integration is None else integration.credentials
    settings = {} if integration is None else integration.settings
    return (
        [shown(CREDENTIALS, field, credentials) for field in info.credential_fields],
        [shown(SETTINGS, field, settings) for field in info.setting_fields],
    )


def missing(info: ProviderInfo, integration: Integration | None, form: Form) -> list[SettingField]:
    """Fields that are needed and were left empty; a secret that is stored is not among them."""
    kept = () if integration is None else integration.secret_fields
    declared = ((CREDENTIALS, info.credential_fields), (SETTINGS, info.setting_fields))
    empty = [field for where, fields in declared for field in fields if not form.text(f"{where}.{field.name}")]
    return [field for field in empty if field.required and field.default is None and field.name not in kept]


def typed(form: Form, where: str, fields: Sequence[SettingField]) -> dict[str, Any]:
    """What was typed; None for a field that was left empty. A secret is left out where nothing was typed, and None
    where it is to be removed. Raises InvalidInput."""
    values: dict[str, Any] = {}
    for field in fields:
        name = f"{where}.{field.name}"
        if field.secret and not form.text(name):
            if f"remove.{name}" in form:
                values[field.name] = None
        else:
            values[field.name] = _value(form, name, field.type)
    return values


def changed(form: Form, where: str, fields: Sequence[SettingField], stored: Mapping[str, Any]) -> dict[str, Any]:
    """Of what was typed, what differs from what is stored or stands there by default. Raises InvalidInput."""
    secret = {field.name for field in fields if field.secret}
    present = {field.name: stored.get(field.name, field.default) for field in fields}
    return {
        name: value for name, value in typed(form, where, fields).items() if name in secret or value != present[name]
    }


def _value(form: Form, name: str, type: FieldType) -> Any:
    text = form.text(name)
    if type is FieldType.BOOLEAN:
        return name in form
    if not text:
        return None
    if type is FieldType.NUMBER:
        try:
            return int(text) if text.lstrip("-").isdecimal() else float(text.replace(",", "."))
        except ValueError:
            return text
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if type is FieldType.LIST:
        return lines
    return _pairs(name, lines) if type is FieldType.MAP else text


def _pairs(name: str, lines: Sequence[str]) -> dict[str, str]:
    pairs = {}
    for line in lines:
        key, sign, value = line.partition("=")
        if not sign:
            raise InvalidInput.of(name, "each line: name = value")
        pairs[key.strip()] = value.strip()
    return pairs


def as_text(value: Any) -> str:
    if isinstance(value, Mapping):
        return "\n".join(f"{name} = {text}" for name, text in value.items())
    if isinstance(value, list | tuple):
        return "\n".join(map(str, value))
    return "" if value is None else str(value)
