"""Settings come from the environment, and a bad one says which."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from pkgutil import resolve_name

import pytest

from contentgen_core.model.prices import TokenPrices
from contentgen_grounded.bootstrap.checking import CHECKS, check_settings
from contentgen_grounded.bootstrap.providers import address_guard
from contentgen_grounded.bootstrap.writers import model_prices, plan_prices
from contentgen_grounded.settings import (
    BadSetting,
    Settings,
    describe_unknown,
    load,
    unknown_variables,
)
from contentgen_grounded.settings_in_force import in_force, table


def test_settings_are_read_from_the_environment() -> None:
    found = load({"CONTENTGEN_PORT": "9000", "CONTENTGEN_DATA_DIR": "/tmp/x", "OTHER": "1"})
    assert (found.port, found.data_dir) == (9000, Path("/tmp/x"))


def test_an_option_wins_over_the_environment() -> None:
    assert load({"CONTENTGEN_PORT": "9000"}, port=9001, host=None).port == 9001


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "web"),
        ("PORT", "70000"),
        ("EMBEDDINGS", "magic"),
        ("ENTAILMENT_MODEL", "lexical"),
        ("MODEL_INPUT_PRICE", "-1"),
        ("MODEL_OUTPUT_PRICE", "nan"),
        ("MODEL_OUTPUT_PRICE", "inf"),
        ("MODEL_CURRENCY", "euro"),
    ],
)
def test_a_bad_value_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=f"CONTENTGEN_{name}"):
        load({f"CONTENTGEN_{name}": value})


def test_all_values_that_cannot_be_used_are_named_at_once_with_what_can() -> None:
    environ = {
        "CONTENTGEN_PORT": "70000",
        "CONTENTGEN_METRICS_PORT": "web",
        "CONTENTGEN_LOG_LEVEL": "loud",
        "CONTENTGEN_MODEL_TIMEOUT": "0",
        "CONTENTGEN_SECRET_KEY": "hunter2",
        "CONTENTGEN_PUBLIC_URL": "example.org",
        "CONTENTGEN_EMBEDINGS": "hashed",
    }
    with pytest.raises(BadSetting) as bad:
        load(environ)
    lines = str(bad.value).splitlines()
    assert [line.partition(".")[0] for line in sorted(lines)] == [
        "CONTENTGEN_EMBEDINGS is no setting: is CONTENTGEN_EMBEDDINGS meant?",
        "CONTENTGEN_LOG_LEVEL: choose one of debug, info, warning, error",
        "CONTENTGEN_METRICS_PORT: give a whole number from 0 to 65535",
        "CONTENTGEN_MODEL_TIMEOUT: give a number above 0, up to 3600",
        "CONTENTGEN_PORT: give a whole number from 0 to 65535",
        "CONTENTGEN_PUBLIC_URL: is not of the form that is expected",
        "CONTENTGEN_SECRET_KEY: give at least 32 characters",
    ]
    assert "hunter2" not in str(bad.value)


def test_settings_that_do_not_go_together_are_named_at_once() -> None:
    wrong = Settings(
        smtp_url="smtp://mail.example",
        source_folders="notes",
        redis_url="redis://host:port",
        oidc_issuer="https://company.example",
        plan_model_input_price=1.0,
    )
    with pytest.raises(BadSetting) as bad:
        check_settings(wrong)
    assert [line.split(":")[0].split(" ")[0] for line in str(bad.value).splitlines()] == [
        "CONTENTGEN_OIDC_CLIENT_ID", "CONTENTGEN_REDIS_URL", "CONTENTGEN_SMTP_URL",
        "CONTENTGEN_PLAN_MODEL_OUTPUT_PRICE", "CONTENTGEN_SOURCE_FOLDERS",
    ]  # fmt: skip
    check_settings(Settings())


def test_every_setting_that_a_check_reads_exists() -> None:
    read = {name for names in CHECKS.values() for name in names}
    assert read <= set(Settings.__struct_fields__)
    assert all(callable(resolve_name(f"contentgen_grounded.bootstrap.{check}")) for check in CHECKS)


def test_every_setting_is_described() -> None:
    rows = table()
    assert len(rows) == len(Settings.__struct_fields__)
    assert all(variable.startswith("CONTENTGEN_") and description.endswith(".") for variable, _, description in rows)


def test_private_hosts_are_host_and_port_and_a_bad_one_is_named() -> None:
    guard = address_guard(load({"CONTENTGEN_ALLOWED_PRIVATE_HOSTS": "localhost:8080, 10.0.0.5:9000"}))
    assert guard.check("http://localhost:8080/").host == "localhost"
    with pytest.raises(BadSetting, match=r"CONTENTGEN_ALLOWED_PRIVATE_HOSTS: 'intranet' is no host:port"):
        address_guard(load({"CONTENTGEN_ALLOWED_PRIVATE_HOSTS": "localhost:8080,intranet"}))


def test_prices_of_a_model_go_together() -> None:
    assert model_prices(load({"CONTENTGEN_MODEL_CURRENCY": "EUR"})) is None
    both = {"CONTENTGEN_MODEL_INPUT_PRICE": "0.1", "CONTENTGEN_MODEL_OUTPUT_PRICE": "0"}
    assert model_prices(load(both)) == TokenPrices(Decimal("0.1"), Decimal(0), "USD")
    kept = {"CONTENTGEN_MODEL_CACHED_PRICE": "0.01", "CONTENTGEN_MODEL_CACHE_WRITE_PRICE": "0.125"}
    all_four = TokenPrices(Decimal("0.1"), Decimal(0), "USD", Decimal("0.01"), Decimal("0.125"))
    assert model_prices(load(both | kept)) == all_four
    with pytest.raises(BadSetting, match="prices of kept tokens are set without it"):
        model_prices(load(kept))
    for name in both:
        with pytest.raises(BadSetting, match=f"{name}: one price is set without the other"):
            model_prices(load({other: value for other, value in both.items() if other != name}))


def test_a_model_that_plans_has_prices_of_its_own() -> None:
    model = {"CONTENTGEN_PLAN_MODEL": "small"}
    both = {"CONTENTGEN_PLAN_MODEL_INPUT_PRICE": "0.1", "CONTENTGEN_PLAN_MODEL_OUTPUT_PRICE": "0.4"}
    assert plan_prices(load(model)) is None
    assert plan_prices(load(model | both)) == TokenPrices(Decimal("0.1"), Decimal("0.4"), "USD")
    with pytest.raises(BadSetting, match="CONTENTGEN_PLAN_MODEL: prices of a model that plans"):
        plan_prices(load(both))
    for name in both:
        with pytest.raises(BadSetting, match=f"{name}: one price is set without the other"):
            plan_prices(load(model | {other: value for other, value in both.items() if other != name}))


@pytest.mark.parametrize("value", [" ", "a\nb", "réader/1", "x" * 201])
def test_a_user_agent_is_one_line_of_ascii(value: str) -> None:
    with pytest.raises(BadSetting, match="CONTENTGEN_USER_AGENT"):
        load({"CONTENTGEN_USER_AGENT": value})
    assert load({"CONTENTGEN_USER_AGENT": "Acme/1.0 (+https://acme.example)"}).user_agent


def test_the_settings_in_force_say_where_they_come_from_and_hide_secrets() -> None:
    secret, password = "s" * 40, "hunter22"
    environ = {
        "CONTENTGEN_PORT": "9000",
        "CONTENTGEN_SECRET_KEY": secret,
        "CONTENTGEN_DATABASE_URL": f"postgresql://me:{password}@db.example/x",
    }
    found = {setting.variable: setting for setting in in_force(environ)}
    assert (found["CONTENTGEN_PORT"].value, found["CONTENTGEN_PORT"].source) == ("9000", "environment")
    assert (found["CONTENTGEN_HOST"].value, found["CONTENTGEN_HOST"].source) == ("127.0.0.1", "default")
    assert found["CONTENTGEN_DATABASE_URL"].value == "postgresql://me:***@db.example/x"
    assert found["CONTENTGEN_SECRET_KEY"].value == "(set, not shown)"
    assert found["CONTENTGEN_OPENAI_API_KEY"].value == ""
    assert secret not in str(found)
    assert password not in str(found)


def test_an_unknown_variable_is_named_with_the_setting_that_was_meant() -> None:
    environ = {"CONTENTGEN_DATABSE_URL": "x", "CONTENTGEN_ZZZ": "1", "CONTENTGEN_PORT": "1", "HOME": "/"}
    found = unknown_variables(environ)
    assert found == {"CONTENTGEN_DATABSE_URL": "CONTENTGEN_DATABASE_URL", "CONTENTGEN_ZZZ": None}
    assert [describe_unknown(*item) for item in found.items()] == [
        "CONTENTGEN_DATABSE_URL is no setting: is CONTENTGEN_DATABASE_URL meant?",
        "CONTENTGEN_ZZZ is no setting, and none is spelled like it.",
    ]
