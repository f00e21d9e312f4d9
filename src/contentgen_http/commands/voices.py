"""`contentgen voices …`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.model.ids import TenantId, VoiceId
from contentgen_core.model.vocabulary import Language
from contentgen_http.commands.console import (
    WHOLE,
    AsJson,
    DataDir,
    Tenant,
    group,
    print_rows,
    print_values,
    with_services,
)

if TYPE_CHECKING:
    from contentgen_core.model.voice import Voice
    from contentgen_http.services import Services

voices_app = group()


@voices_app.command("add")
def voices_add(
    name: str,
    tenant: Tenant,
    language: Annotated[Language, typer.Option(help="The language of its articles.")],
    sample: Annotated[list[Path] | None, typer.Option(help="A text file to measure; may be repeated.")] = None,
    guide: Annotated[str, typer.Option(help="In words, for models.")] = "",
    use: Annotated[list[str] | None, typer.Option(help="A term to use; may be repeated.")] = None,
    avoid: Annotated[list[str] | None, typer.Option(help="A term to avoid; may be repeated.")] = None,
    default: Annotated[bool, typer.Option("--default", help="For articles that name no voice.")] = False,
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Measure samples, and keep what they tell as a voice."""

    async def run(services: Services) -> None:
        from contentgen_core.use_cases.voices.manage_voices import NewVoice

        samples = tuple(_text(file) for file in sample or ())
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        new = NewVoice(caller, name, language, guide, samples, tuple(use or ()), tuple(avoid or ()), default)
        print_values(_values(await services.writing.voices.create(new)), json_)

    with_services(data_dir, run)


@voices_app.command("list")
def voices_list(tenant: Tenant, json_: AsJson = False, data_dir: DataDir = None) -> None:
    """Show the voices, the oldest first."""

    async def run(services: Services) -> None:
        voices = await services.writing.voices.list(await services.people.tenants.owner_of(TenantId(tenant)))
        rows = [{"id": v.id, "name": v.name, "language": v.language, "isDefault": v.is_default} for v in voices]
        print_rows(rows, ("id", "name", "language", "default"), json_, {"id": WHOLE})

    with_services(data_dir, run)


@voices_app.command("show")
def voices_show(voice_id: str, tenant: Tenant, json_: AsJson = False, data_dir: DataDir = None) -> None:
    """Show a voice with what was measured."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        print_values(_values(await services.writing.voices.get(caller, VoiceId(voice_id))), json_)

    with_services(data_dir, run)


@voices_app.command("delete")
def voices_delete(voice_id: str, tenant: Tenant, data_dir: DataDir = None) -> None:
    """Delete a voice. Its articles keep it."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        await services.writing.voices.delete(caller, VoiceId(voice_id))

    with_services(data_dir, run)
    typer.echo("deleted")


def _text(file: Path) -> str:
    """The start of a file, enough of it that one that is too long is refused as such. Raises UnreadableFile."""
    from contentgen_core.errors import UnreadableFile
    from contentgen_core.model.voice import MAX_SAMPLE

    try:
        with file.open(encoding="utf-8") as opened:
            return opened.read(MAX_SAMPLE + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{file}: {error}. A sample is a text file in UTF-8.") from error


def _values(voice: Voice) -> dict[str, object]:
    from contentgen_core.policies.voice.wording import describe_voice

    return {
        "id": voice.id,
        "name": voice.name,
        "language": voice.language,
        "isDefault": voice.is_default,
        "createdAt": voice.created_at,
        "voice": describe_voice(voice.chosen),
    }
