"""`contentgen secrets …`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.errors import ContentgenError
from contentgen_http.commands.console import AsJson, DataDir, group, print_values, with_services

if TYPE_CHECKING:
    from contentgen_core.use_cases.integrations.reseal import Resealed
    from contentgen_http.services import Services

secrets_app = group()


class SecretsLeftBehind(ContentgenError):
    """Some secrets cannot be decrypted; the text lists whose."""

    code = "secrets_left_behind"


@secrets_app.callback()
def secrets() -> None:
    """The keys that secrets are encrypted with."""


@secrets_app.command("rotate")
def rotate(
    forget_old: Annotated[
        bool, typer.Option("--forget-old", help="Also drop the former keys; a copy of the database needs them.")
    ] = False,
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Make a new key and seal every stored secret under it, beside a running service too.

    With CONTENTGEN_SEALING_KEYS set no key is made: put a new one first there, restart every process, then run this.
    """
    from contentgen_grounded.bootstrap import secrets
    from contentgen_grounded.settings import load

    chosen = load(data_dir=data_dir)

    async def run(services: Services) -> Resealed:
        await services.upkeep.sealing_keys()
        if chosen.sealing_keys is None:
            secrets.renew_sealing_key(chosen)
        return await services.upkeep.reseal_secrets()

    done = with_services(data_dir, run)
    print_values({"sealedAnew": done.resealed, "current": done.current, "unreadable": list(done.unreadable)}, json_)
    if done.unreadable:
        raise SecretsLeftBehind(
            f"{len(done.unreadable)} integrations, webhooks, search demands or signing keys have secrets that no key at"
            " hand opens: enter the credentials of integrations anew, rotate the secrets of webhooks, connect Search"
            " Console anew, renew the key of evidence files with `contentgen evidence renew-key`."
        )
    if forget_old:
        secrets.forget_old_sealing_keys(chosen)


@secrets_app.command("accept-keys")
def accept_keys(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False, data_dir: DataDir = None
) -> None:
    """Make this environment's sealing keys the service's, where the former ones are lost.

    What integrations have stored under other keys stays unreadable: enter those credentials again.
    """
    if not yes:
        typer.confirm("Credentials sealed under other keys have to be entered again. Go on?", abort=True)

    async def run(services: Services) -> None:
        await services.upkeep.sealing_keys.accept()

    with_services(data_dir, run)
    typer.echo("accepted; give every process these keys, and enter the credentials of integrations again")
