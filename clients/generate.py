"""`python -m clients.generate [python] [typescript]` generates the clients into build/clients."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from contentgen_grounded.version import VERSION
from contentgen_http.app import description

HERE: Final = Path(__file__).parent
TOOLS: Final = HERE.parent / ".tools" / "clients" / "bin"
"""What generates: `make .tools/clients/.python` and `make .tools/clients/.typescript` install it."""
BUILD: Final = HERE.parent / "build" / "clients"


def python_client(document: Path, to: Path) -> None:
    """Generate the package `contentgen_client` with its pyproject.toml into a folder, replacing what it holds.

    Raises CalledProcessError where the generator fails or warns, since then an operation is missing."""
    config = to.with_name(f"{to.name}.json")
    config.write_text((HERE / "python" / "config.json").read_text("utf-8").replace("VERSION", VERSION), "utf-8")
    _run(
        *("openapi-python-client", "generate", "--path", str(document), "--config", str(config)),
        *("--meta", "uv", "--output-path", str(to), "--overwrite", "--fail-on-warning"),
        at=to.parent,
    )
    config.unlink()


def typescript_client(document: Path, to: Path) -> None:
    """Generate the types into a copy of `clients/typescript` in a folder, replacing what it holds, and compile it.

    Installs what package-lock.json names. Raises CalledProcessError where a step fails."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(HERE / "typescript", to)
    _run("npm", "ci", "--silent", at=to)
    _run("npm", "run", "--silent", "generate", "--", str(document), at=to)
    _run("npm", "run", "--silent", "build", at=to)


def _run(*command: str, at: Path) -> None:
    env = os.environ | {"PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(command, cwd=at, env=env, check=True, capture_output=True, text=True)


def main(languages: list[str]) -> None:
    BUILD.mkdir(parents=True, exist_ok=True)
    document = BUILD / "openapi.json"
    document.write_bytes(description())
    generators = {"python": python_client, "typescript": typescript_client}
    for language in languages or list(generators):
        try:
            generators[language](document, BUILD / language)
        except subprocess.CalledProcessError as error:
            sys.exit(f"{error}\n{error.stdout}{error.stderr}")
        sys.stdout.write(f"{BUILD / language}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
