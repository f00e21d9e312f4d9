"""`contentgen evidence …`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.errors import UnreadableFile
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_http.commands.console import AsJson, DataDir, Tenant, fail_clearly, group, print_values, with_services

if TYPE_CHECKING:
    from contentgen_core.model.signing_key import SigningKey
    from contentgen_http.services import Services

evidence_app = group()


@evidence_app.command("make")
def make(
    article_id: str,
    tenant: Tenant,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; else standard output.", show_default=False)
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Make the evidence file of an article."""

    async def run(services: Services) -> bytes:
        from contentgen_http.api.evidence_file import evidence_file

        caller = await services.people.tenants.owner_of(TenantId(tenant))
        _, made = await evidence_file(services, caller, ArticleId(article_id))
        return made

    file = with_services(data_dir, run)
    if output is None:
        typer.echo(file, nl=False)
    else:
        output.write_bytes(file)


@evidence_app.command("verify")
def verify(
    file: Annotated[Path, typer.Argument(help="The evidence file.")],
    keys: Annotated[
        Path | None,
        typer.Option(
            help="File with the keys of the service that made it: its /.well-known/jwks.json. Else those of this"
            " service's database.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Say whether a file is, byte for byte, what was signed. With --keys it needs no database and no network."""
    fail_clearly(lambda: _verify(file, keys, as_json, data_dir))


@evidence_app.command("keys")
def list_keys(data_dir: DataDir = None) -> None:
    """Print the keys that verify evidence files, as a JSON Web Key Set."""
    import msgspec

    from contentgen_http.wire.public_keys import PublicKeys

    typer.echo(msgspec.json.encode(PublicKeys.of(with_services(data_dir, _keys))))


@evidence_app.command("renew-key")
def renew_key(data_dir: DataDir = None) -> None:
    """Sign with a new key from now on; files that were signed before can still be verified."""

    async def run(services: Services) -> SigningKey:
        return await services.writing.sign.renew()

    typer.echo(f"signed from now on with: {with_services(data_dir, run).id}")


async def _keys(services: Services) -> list[SigningKey]:
    return await services.writing.sign.keys()


def _verify(file: Path, keys: Path | None, as_json: bool, data_dir: Path | None) -> None:
    from contentgen_grounded.bootstrap.secrets import signer
    from contentgen_http.api.evidence_file import public_keys, read_key_set, summary, verified

    try:
        content, key_set = file.read_bytes(), None if keys is None else keys.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{error.filename}: {error.strerror}") from error
    known = public_keys(with_services(data_dir, _keys)) if key_set is None else read_key_set(key_set)
    print_values(summary(verified(signer(), content, known)), as_json)
