"""Settings come from the environment, and a bad one says which."""

from __future__ import annotations

from pathlib import Path

import pytest

from contentgen.bootstrap.providers import address_guard
from contentgen.settings import BadSetting, Settings, load, table


def test_settings_are_read_from_the_environment() -> None:
    found = load({"CONTENTGEN_PORT": "9000", "CONTENTGEN_DATA_DIR": "/tmp/x", "OTHER": "1"})
    assert (found.port, found.data_dir) == (9000, Path("/tmp/x"))


def test_an_option_wins_over_the_environment() -> None:
    assert load({"CONTENTGEN_PORT": "9000"}, port=9001, host=None).port == 9001


@pytest.mark.parametrize(
    ("name", "value"), [("PORT", "web"), ("PORT", "70000"), ("EMBEDDINGS", "magic"), ("ENTAILMENT_MODEL", "lexical")]
)
def test_a_bad_value_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=f"CONTENTGEN_{name}"):
        load({f"CONTENTGEN_{name}": value})


def test_every_setting_is_described() -> None:
    rows = table()
    assert len(rows) == len(Settings.__struct_fields__)
    assert all(variable.startswith("CONTENTGEN_") and description.endswith(".") for variable, _, description in rows)


def test_private_hosts_are_host_and_port_and_a_bad_one_is_named() -> None:
    guard = address_guard(load({"CONTENTGEN_ALLOWED_PRIVATE_HOSTS": "localhost:8080, 10.0.0.5:9000"}))
    assert guard.check("http://localhost:8080/").host == "localhost"
    with pytest.raises(BadSetting, match=r"CONTENTGEN_ALLOWED_PRIVATE_HOSTS: 'intranet' is no host:port"):
        address_guard(load({"CONTENTGEN_ALLOWED_PRIVATE_HOSTS": "localhost:8080,intranet"}))


@pytest.mark.parametrize("value", [" ", "a\nb", "réader/1", "x" * 201])
def test_a_user_agent_is_one_line_of_ascii(value: str) -> None:
    with pytest.raises(BadSetting, match="CONTENTGEN_USER_AGENT"):
        load({"CONTENTGEN_USER_AGENT": value})
    assert load({"CONTENTGEN_USER_AGENT": "Acme/1.0 (+https://acme.example)"}).user_agent
