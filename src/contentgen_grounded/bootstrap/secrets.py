"""The installation's secrets: behind key digests, and those that seal what tenants enter."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from contentgen_adapters.runtime import HmacKeyMaker
from contentgen_adapters.sealing import FernetBox
from contentgen_adapters.signing import Ed25519Signer
from contentgen_core.errors import NotConfigured
from contentgen_core.ports.repositories.installation import Installation
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_grounded.settings import BadSetting, Settings

SECRET_FACT = "secret"  # noqa: S105 - what its fingerprint is recorded under
SECRET_FILE = "secret.key"  # noqa: S105 - the name of the file, not the secret
SEALING_FILE = "sealing.key"


def secret(settings: Settings) -> bytes:
    """Return the secret behind key digests: the operator's, or the data directory's, which is created at its first
    use.
    """
    if settings.secret_key:
        return settings.secret_key.encode()
    return _key_file(settings.data_dir / SECRET_FILE).encode()


def signer() -> Ed25519Signer:
    """Return the signer of evidence files, which also verifies them."""
    return Ed25519Signer()


def secret_box(settings: Settings) -> FernetBox:
    """Return the box that encrypts tenants' secrets. Raises NotConfigured."""
    try:
        return FernetBox(lambda: sealing_keys(settings))
    except ValueError as error:
        raise NotConfigured(f"Secrets cannot be sealed: {error}.", "CONTENTGEN_SEALING_KEYS") from error


def sealing_keys(settings: Settings) -> list[str]:
    """Return the keys that secrets are encrypted with, newest first: the operator's, or the data directory's."""
    if settings.sealing_keys is None:
        return _key_file(settings.data_dir / SEALING_FILE).split()
    return [key.strip() for key in settings.sealing_keys.split(",") if key.strip()]


def renew_sealing_key(settings: Settings) -> None:
    """Put a new key before the others in the data directory's file. Raises NotConfigured where the keys are the
    operator's own."""
    _require_key_file(settings)
    _write_sealing_keys(settings, [secrets.token_hex(32), *sealing_keys(settings)])


def forget_old_sealing_keys(settings: Settings) -> None:
    """Keep only the newest key. Raises NotConfigured where the keys are the operator's own."""
    _require_key_file(settings)
    _write_sealing_keys(settings, sealing_keys(settings)[:1])


def _require_key_file(settings: Settings) -> None:
    if settings.sealing_keys is not None:
        raise NotConfigured(
            "The sealing keys are your own: put a new one first and restart every process, rotate, then leave out the"
            " old one.",
            "CONTENTGEN_SEALING_KEYS",
        )


def _write_sealing_keys(settings: Settings, keys: list[str]) -> None:
    path = settings.data_dir / SEALING_FILE
    made = path.with_suffix(f".{secrets.token_hex(4)}")
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write("\n".join(keys) + "\n")
        file.flush()
        os.fsync(file.fileno())
    made.replace(path)


def _key_file(path: Path) -> str:
    """Return the content of a key file. It is created at its first use, readable for its owner alone."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)  # nobody else makes it where the database is the operator's
        # Written aside and linked into place: two first starts agree on one secret, and nobody reads half of it.
        made = path.with_suffix(f".{secrets.token_hex(4)}")
        with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
        with suppress(FileExistsError):
            os.link(made, path)
        made.unlink()
    return path.read_text().strip()


async def agree_on_secret(settings: Settings, unit_of_work: UnitOfWork, *, accept: bool = False) -> bytes:
    """Return this process's secret after checking it against the one in the database. The first process that ever
    starts stores its own there. `accept`: store this process's secret from now on. Raises BadSetting, and
    Unavailable.
    """
    own = secret(settings)
    fingerprint = HmacKeyMaker(own).fingerprint
    async with unit_of_work() as tx:
        if accept:
            await tx[Installation].put(SECRET_FACT, fingerprint)
        known = await tx[Installation].get_or_put(SECRET_FACT, fingerprint)
    if known == fingerprint:
        return own
    source = "the one set" if settings.secret_key else f"not set, so that of {settings.data_dir / SECRET_FILE}"
    raise BadSetting(
        f"CONTENTGEN_SECRET_KEY: this secret ({source}) is not the one behind the API keys in this database. Every key "
        "would be refused, and keys made with it would work nowhere else. Set it to the service's own. To change the "
        "secret deliberately, which ends all keys and open invitations, run `contentgen keys accept-secret` with the "
        "new one."
    )
