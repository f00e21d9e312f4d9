"""Integrations and their providers on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import integration as model
from contentgen_core.model import publishing_target as target
from contentgen_core.model.ids import IntegrationId
from contentgen_core.model.integration import IntegrationHealth
from contentgen_core.model.publishing_target import Feature, FieldType
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.text.names import MAX_NAME
from contentgen_core.use_cases.integrations import manage_integrations
from contentgen_http.wire.base import NOT_BLANK, Answer, AnswerOf, Body, Query, kept

_Name = Annotated[
    str,
    Meta(min_length=1, max_length=MAX_NAME, pattern=NOT_BLANK, description="Its name.", examples=["Our blog"]),
]
_Object = dict[str, Any]


class Choice(AnswerOf[target.Choice], kw_only=True):
    """A value to choose."""

    value: Annotated[str, Meta(description="What to send.")]
    label: Annotated[str, Meta(description="What to show.")]


class _Field(Answer, kw_only=True):
    """What a form asks for."""

    name: Annotated[str, Meta(description="The field to send it in.")]
    label: Annotated[str, Meta(description="What to show beside it.")]
    type: Annotated[FieldType, Meta(description="How to ask for it.")]
    help: Annotated[str, Meta(description="Where to find it, or what it does.")]
    default: Annotated[Any, Meta(description="What it is when it is not given; absent when there is none.")] = UNSET
    choices: Annotated[list[Choice] | UnsetType, Meta(description="The values to choose from, where known.")] = UNSET


class SettingField(_Field, AnswerOf[target.SettingField], kw_only=True):
    """A field of an integration's credentials or settings."""

    required: Annotated[bool, Meta(description="Whether it must be given.")]
    secret: Annotated[bool, Meta(description="true: it is stored encrypted and never shown again.")]

    @classmethod
    def of(cls, field: target.SettingField) -> SettingField:
        return cls.copy_from(field, choices=field.choices or UNSET)


class PublishOptionField(_Field, AnswerOf[target.PublishOptionField], kw_only=True):
    """An option of one publishing."""

    @classmethod
    def of(cls, field: target.PublishOptionField) -> PublishOptionField:
        return cls.copy_from(field, choices=field.choices or UNSET)


class IntegrationConstraints(AnswerOf[target.IntegrationConstraints], kw_only=True):
    """What a target takes, and what it does not do."""

    body_format: Annotated[str, Meta(description="The form that an article's text takes there.", examples=["HTML"])]
    title_max: Annotated[int | UnsetType, Meta(description="Most characters of a title.")] = UNSET
    body_max: Annotated[int | UnsetType, Meta(description="Most characters of a text.")] = UNSET
    tags_max: Annotated[int | UnsetType, Meta(description="Most tags.")] = UNSET
    cannot: Annotated[list[str], Meta(description="What it does not do, in words.")]
    unverified: Annotated[list[str], Meta(description="What could not be tried on the real service yet.")]


class Provider(AnswerOf[target.ProviderInfo], kw_only=True):
    """A kind of target."""

    id: Annotated[str, Meta(description="Its id.", examples=["webhook"])]
    name: Annotated[str, Meta(description="Its name.", examples=["Webhook"])]
    icon: Annotated[str, Meta(description="An SVG.")]
    features: Annotated[list[Feature], Meta(description="What it can do.")]
    credential_fields: Annotated[list[SettingField], Meta(description="What it needs to be connected.")]
    setting_fields: Annotated[list[SettingField], Meta(description="What can be set for an integration.")]
    publish_options: Annotated[list[PublishOptionField], Meta(description="What can be chosen for one publishing.")]
    constraints: Annotated[IntegrationConstraints, Meta(description="Its limits.")]

    @classmethod
    def of(cls, info: target.ProviderInfo) -> Provider:
        return cls.copy_from(info, publish_options=info.option_fields)


class ProviderList(AnswerOf[Sequence[target.ProviderInfo]], kw_only=True):
    """Every kind of target."""

    providers: Annotated[list[Provider], Meta(description="The providers, by id.")]

    @classmethod
    def of(cls, infos: Sequence[target.ProviderInfo]) -> ProviderList:
        return cls(providers=[Provider.of(info) for info in infos])


class OptionsQuery(Query, kw_only=True):
    integration_id: Annotated[
        Annotated[str, Meta(max_length=100)] | UnsetType,
        Meta(description="An integration of this provider: its target is asked for what can be chosen there."),
    ] = UNSET


class ProviderOptions(Answer, kw_only=True):
    """What can be chosen when publishing."""

    provider: Annotated[str, Meta(description="The provider.", examples=["webhook"])]
    options: Annotated[list[PublishOptionField], Meta(description="The options, with their values where known.")]

    @classmethod
    def of(cls, provider: str, fields: Sequence[target.PublishOptionField]) -> ProviderOptions:
        return cls(provider=provider, options=[PublishOptionField.of(field) for field in fields])


class Integration(AnswerOf[model.Integration], kw_only=True):
    """A place that you publish to."""

    id: Annotated[str, Meta(description="Opaque identifier.")]
    provider: Annotated[str, Meta(description="Its kind.", examples=["webhook"])]
    name: Annotated[str, Meta(description="Its name.", examples=["Our blog"])]
    enabled: Annotated[bool, Meta(description="Whether articles are published to it.")]
    credentials: Annotated[_Object, Meta(description="What it is connected with, without the secrets.")]
    secrets_set: Annotated[list[str], Meta(description="The secret fields that are stored; they are never shown.")]
    settings: Annotated[_Object, Meta(description="Its settings.")]
    health: Annotated[IntegrationHealth, Meta(description="failing: the target refuses the credentials.")]
    last_error: Annotated[str | UnsetType, Meta(description="Why it fails; only when it does.")] = UNSET
    tested_at: Annotated[datetime | UnsetType, Meta(description="When its credentials were last tried.")] = UNSET
    created_at: Annotated[datetime, Meta(description="When it was connected (UTC).")]
    updated_at: Annotated[datetime, Meta(description="When it was last changed (UTC).")]

    @classmethod
    def of(cls, integration: model.Integration) -> Integration:
        return cls.copy_from(integration, secrets_set=integration.secret_fields)


class IntegrationList(AnswerOf[Sequence[model.Integration]], kw_only=True):
    """Every place that you publish to."""

    integrations: Annotated[list[Integration], Meta(description="The integrations, the oldest first.")]

    @classmethod
    def of(cls, integrations: Sequence[model.Integration]) -> IntegrationList:
        return cls(integrations=[Integration.of(integration) for integration in integrations])


class NewIntegration(Body, kw_only=True):
    """A place to publish to."""

    provider: Annotated[str, Meta(max_length=100, description="Its kind.", examples=["webhook"])]
    name: _Name
    enabled: Annotated[bool, Meta(description="Whether articles are published to it.")] = True
    credentials: Annotated[_Object, Meta(description="What the provider needs, see its credentialFields.")] = (
        msgspec.field(default_factory=dict)
    )
    settings: Annotated[_Object, Meta(description="See the provider's settingFields.")] = msgspec.field(
        default_factory=dict
    )

    def to_command(self, caller: Caller) -> manage_integrations.NewIntegration:
        return manage_integrations.NewIntegration(
            caller, self.provider, self.name, self.enabled, self.credentials, self.settings
        )


class IntegrationChanges(Body, kw_only=True):
    """What to change. Of credentials and settings, fields that are not sent stay as they are; null clears one."""

    name: _Name | UnsetType = UNSET
    enabled: Annotated[bool | UnsetType, Meta(description="Whether articles are published to it.")] = UNSET
    credentials: Annotated[_Object | UnsetType, Meta(description="Those that change.")] = UNSET
    settings: Annotated[_Object | UnsetType, Meta(description="Those that change.")] = UNSET

    def to_command(self, caller: Caller, integration_id: IntegrationId) -> manage_integrations.ChangedIntegration:
        return manage_integrations.ChangedIntegration(
            caller,
            integration_id,
            kept(self.name),
            kept(self.enabled),
            kept(self.credentials),
            kept(self.settings),
        )


class IntegrationConnected(Answer, kw_only=True):
    """The target took the credentials."""

    success: Annotated[bool, Meta(description="Always true: what fails answers with an Error.")] = True
    integration: Annotated[Integration, Meta(description="The integration.")]


class ConnectionTested(AnswerOf[manage_integrations.ConnectionTest], kw_only=True):
    """What the target said."""

    success: Annotated[bool, Meta(description="Whether the credentials work.")]
    message: Annotated[str, Meta(description="What they lead to, or why they do not work.")]
