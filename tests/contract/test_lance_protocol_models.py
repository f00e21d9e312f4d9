"""LanceDB without the models of its namespace protocol, which it gets when they are needed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

MODELS = "lance_namespace_urllib3_client.models"

PUT_OFF = f"""
import asyncio, json, sys, tempfile
from contentgen_adapters.lance.index import load_library

def models():
    return sorted(name for name in sys.modules if name.startswith("{MODELS}."))

load_library()
import lance_namespace, lancedb
at_first = models()

async def tables():
    with tempfile.TemporaryDirectory() as folder:
        connection = await lancedb.connect_async(folder)
        return await connection.list_tables()

listed = asyncio.run(tables())
made = lance_namespace.DescribeTableRequest(id=["a"])
print(json.dumps({{
    "at_first": at_first,
    "then": models(),
    "listed": listed.tables,
    "is_one": isinstance(listed, lance_namespace.ListTablesResponse),
    "is_another": isinstance(listed, lance_namespace.DescribeTableRequest),
    "made": made.id,
    "read": lance_namespace.DescribeTableRequest.from_json('{{"id": ["b"]}}').id,
    "named": lance_namespace.DescribeTableRequest.__name__,
    "unknown": hasattr(sys.modules["{MODELS}"], "NoSuchModel"),
}}))
"""

ALL = f"""
import ast, pathlib, lance_namespace, {MODELS} as models
from contentgen_adapters.lance.protocol_models import _module_of

tree = ast.parse(pathlib.Path(lance_namespace.__file__).read_text())
asked_for = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "{MODELS}")
names = [alias.name for node in asked_for for alias in node.names]
assert len(names) > 100
assert [n for n in names if getattr(models, n).__module__ != f"{MODELS}.{{_module_of(n)}}"] == []
"""


@pytest.fixture(scope="module")
def put_off() -> dict[str, object]:
    ended = subprocess.run([sys.executable, "-c", PUT_OFF], capture_output=True, text=True, check=True, timeout=120)
    found: dict[str, object] = json.loads(ended.stdout)
    return found


def test_a_model_is_imported_when_it_is_first_used(put_off: dict[str, object]) -> None:
    at_first, then = put_off["at_first"], put_off["then"]
    assert isinstance(at_first, list)
    assert isinstance(then, list)
    assert len(at_first) < 40  # of 170: those that LanceDB names one by one
    assert f"{MODELS}.list_tables_response" not in at_first
    assert {*then} - {*at_first} >= {f"{MODELS}.list_tables_response", f"{MODELS}.describe_table_request"}


def test_it_does_what_the_model_does(put_off: dict[str, object]) -> None:
    assert put_off["listed"] == []
    assert (put_off["is_one"], put_off["is_another"]) == (True, False)
    assert put_off["made"] == ["a"]
    assert put_off["read"] == ["b"]
    assert put_off["named"] == "DescribeTableRequest"
    assert put_off["unknown"] is False


def test_the_generator_names_the_files_of_all_models_that_lancedb_asks_for_in_this_way() -> None:
    subprocess.run([sys.executable, "-c", ALL], check=True, timeout=120)
