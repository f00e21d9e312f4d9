"""`contentgen models …`"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from contentgen_http.commands.console import AsJson, DataDir, group, print_rows, progress_bar

models_app = group()


@models_app.callback()
def models() -> None:
    """Models of meaning, for searches."""


@models_app.command("list")
def list_(json_: AsJson = False, data_dir: DataDir = None) -> None:
    """Show the models that are known here, and whether they can be used. Reads their files."""
    from contentgen_grounded.bootstrap.models import find_models
    from contentgen_grounded.settings import load

    rows = [
        {"model": each.model, "from": each.source, "state": each.state} for each in find_models(load(data_dir=data_dir))
    ]
    print_rows(rows, ("model", "from", "state"), json_)


@models_app.command("fetch")
def fetch(
    name: Annotated[str, typer.Argument(help="Such as multilingual-e5-small.")],
    to: Annotated[
        Path | None, typer.Option("--to", help="Folder; else models/NAME in that of the data.", show_default=False)
    ] = None,
    precision: Annotated[str, typer.Option(help="int8 (135 MB), or full (487 MB; slower, a little better).")] = "int8",
    mirror: Annotated[
        str | None,
        typer.Option(help="Address that has the published files, instead of their authors'.", show_default=False),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Fetch a model's published files and check them. Goes on where an interrupted call stopped."""
    import asyncio

    from contentgen_core.errors import InvalidInput
    from contentgen_grounded.bootstrap import models
    from contentgen_grounded.settings import load

    if precision not in models.PRECISIONS:
        raise InvalidInput.of("--precision", f"one of {', '.join(models.PRECISIONS)}")
    settings = load(data_dir=data_dir)
    folder = to or models.folder_of(settings, name)
    with progress_bar() as bar:
        tasks: dict[str, Any] = {}

        def progress(file: str, there: int, size: int) -> None:
            if file not in tasks:
                tasks[file] = bar.add_task(file, total=size)
            bar.update(tasks[file], completed=there)

        asyncio.run(models.fetch(settings, name, folder, precision, mirror, progress))
    typer.echo(f"{name} is in {folder}")
    if models.semantic_folder(settings) != folder:
        typer.echo(f"To use it, set CONTENTGEN_EMBEDDINGS=semantic and CONTENTGEN_ONNX_MODEL_DIR={folder}")
