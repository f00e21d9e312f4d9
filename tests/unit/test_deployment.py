"""What deploy/ has is valid by the schemas of those who read it, and names what exists."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import promql_parser
import pytest
import yaml
from prometheus_client import generate_latest

from contentgen_grounded.settings import load
from contentgen_grounded.settings_in_force import table
from contentgen_http.reference.pages import commands, options
from contentgen_http.telemetry.exposition import Queue, exposition
from contentgen_http.telemetry.metrics import Metrics

ROOT: Final = Path(__file__).parents[2]
DEPLOY: Final = ROOT / "deploy"
MANIFESTS: Final = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
UNITS: Final = sorted((DEPLOY / "systemd").glob("*.service"))
EVERYTHING: Final = sorted(path for path in DEPLOY.rglob("*") if path.is_file())
# What all processes of an installation have to have alike.
KEYS: Final = {"CONTENTGEN_SECRET_KEY", "CONTENTGEN_SEALING_KEYS"}
# Variables of others that the program's libraries read.
FOREIGN: Final = {"OTEL_EXPORTER_OTLP_ENDPOINT"}


def tool(name: str, *arguments: str | Path) -> None:
    run = subprocess.run(
        [str(Path(sys.executable).with_name(name)), *map(str, arguments)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr


def documents(path: Path) -> list[dict[str, Any]]:
    return [document for document in yaml.safe_load_all(path.read_text("utf-8")) if document]


def test_the_compose_file_follows_its_specification() -> None:
    tool("check-jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")


def test_the_dockerfile_follows_hadolints_rules() -> None:
    tool("hadolint", "--no-color", "--failure-threshold", "style", DEPLOY / "Dockerfile")


# The oldest that these need, and the newest there is.
@pytest.mark.parametrize("version", ["1.30", "1.37"])
def test_the_manifests_follow_kubernetes_schemas(version: str) -> None:
    tool("kubernetes-validate", "--strict", "-k", version, *MANIFESTS)


def test_a_manifest_with_a_fault_is_found(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text((DEPLOY / "kubernetes/api.yaml").read_text("utf-8").replace("replicas: 3", "replicas: three"))
    with pytest.raises(AssertionError, match="three"):
        tool("kubernetes-validate", "--strict", broken)


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_the_units_are_what_systemd_reads(path: Path, tmp_path: Path) -> None:
    """By systemd itself where it is; by the names of their directives everywhere."""
    text = path.read_text("utf-8")
    section = ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line
        elif line and not line.startswith("#"):
            name = line.partition("=")[0]
            assert name in DIRECTIVES[section], f"{section} {line}"
    if shutil.which("systemd-analyze"):
        # The program is not where it will be installed; any other that exists stands for it.
        unit = tmp_path / path.name
        unit.write_text(text.replace("/opt/contentgen/bin/contentgen", "/bin/true"))
        run = subprocess.run(
            ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, timeout=60, check=False
        )
        about = [line for line in run.stderr.splitlines() if path.name.partition(".")[0].rstrip("@") in line]
        assert about == []


# fmt: off
DIRECTIVES: Final = {
    "[Unit]": {"Description", "After", "Wants", "StartLimitIntervalSec", "StartLimitBurst"},
    "[Install]": {"WantedBy"},
    "[Service]": {
        "Type", "User", "Group", "EnvironmentFile", "Environment", "ExecStart", "Restart", "RestartSec", "KillMode",
        "KillSignal", "TimeoutStopSec", "TimeoutStartSec", "StateDirectory", "StateDirectoryMode", "LimitNOFILE",
        "MemoryMax", "TasksMax", "CapabilityBoundingSet", "AmbientCapabilities", "NoNewPrivileges", "ProtectSystem",
        "ProtectHome", "PrivateTmp", "PrivateDevices", "ProtectClock", "ProtectHostname", "ProtectKernelLogs",
        "ProtectKernelModules", "ProtectKernelTunables", "ProtectControlGroups", "ProtectProc",
        "RestrictAddressFamilies", "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID", "LockPersonality",
        "RemoveIPC", "SystemCallArchitectures", "SystemCallFilter", "SystemCallErrorNumber", "UMask",
    },
}
# fmt: on


@pytest.mark.parametrize("path", EVERYTHING, ids=lambda path: path.name)
def test_settings_that_are_named_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    known = {variable for variable, _, _ in table()}
    assert set(re.findall(r"\bCONTENTGEN_[A-Z_]*[A-Z]\b", text)) <= known
    assert set(re.findall(r"\bOTEL_[A-Z_]*[A-Z]\b", text)) <= FOREIGN


def test_values_that_are_given_are_taken() -> None:
    [config] = documents(DEPLOY / "kubernetes/config.yaml")
    [secret] = documents(DEPLOY / "kubernetes/secret.example.yaml")
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    values = [config["data"] | secret["stringData"], environment(compose["services"]["api"])]
    lines = (DEPLOY / "systemd/contentgen.env.example").read_text("utf-8").splitlines()
    values.append(dict(line.lstrip("#").split("=", 1) for line in lines if re.match(r"#?[A-Z]", line)))
    for given in values:
        assert load(given).database_url is not None


def test_every_process_gets_the_same_keys_and_any_setting() -> None:
    """A container that made keys of its own could read no credential that another one stored, nor itself, later."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    programs = [service for service in compose["services"].values() if service["image"].startswith("contentgen:")]
    assert len(programs) == 3
    for service in programs:
        assert service["environment"] == programs[0]["environment"]
        assert service["environment"].keys() >= KEYS
        assert service["env_file"] == ["compose.env"]
    example = (DEPLOY / "compose.env.example").read_text("utf-8")
    required = set(re.findall(r"\$\{(\w+):\?", (DEPLOY / "compose.yaml").read_text("utf-8")))
    assert required == set(re.findall(r"^(\w+)=", example.partition("# From here on")[0], re.M))
    [secret] = documents(DEPLOY / "kubernetes/secret.example.yaml")
    assert secret["stringData"].keys() >= KEYS
    for pod in pods():
        assert pod["enableServiceLinks"] is False, "CONTENTGEN_PORT would be the address of the Service"
        [container] = pod["containers"]
        assert container["envFrom"] == [
            {"configMapRef": {"name": "contentgen"}},
            {"secretRef": {"name": "contentgen"}},
        ]
        assert "env" not in container
    example = (DEPLOY / "systemd/contentgen.env.example").read_text("utf-8")
    assert set(re.findall(r"^(\w+)=", example, re.M)) >= KEYS
    for path in UNITS:
        assert "EnvironmentFile=/etc/contentgen/contentgen.env" in path.read_text("utf-8")


def pods() -> Iterator[dict[str, Any]]:
    for path in MANIFESTS:
        for document in documents(path):
            if pod := document.get("spec", {}).get("template", {}).get("spec"):
                yield pod


def environment(service: dict[str, Any]) -> dict[str, str]:
    return {name: re.sub(r"\$\{[^}]*\}", "x" * 32, value) for name, value in service["environment"].items()}


def test_commands_that_are_run_exist_with_their_options() -> None:
    found = list(run_by_manifests())
    assert {words[0] for words in found} == {"serve", "worker", "migrate"}
    known = dict(commands())
    for words in found:
        assert {word for word in words if word.startswith("--")} <= options(known[words[0]]), words


def run_by_manifests() -> Iterator[list[str]]:
    for pod in pods():
        for container in pod["containers"]:
            yield container["args"]
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    for service in compose["services"].values():
        if service["image"].startswith("contentgen:"):
            yield service["command"]
    for path in UNITS:
        [command] = re.findall(r"^ExecStart=/opt/contentgen/bin/contentgen (.+)$", path.read_text("utf-8"), re.M)
        yield shlex.split(command)


def test_every_container_runs_without_rights_and_within_limits() -> None:
    found = list(pods())
    assert len(found) == 3
    for pod in found:
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            context = container["securityContext"]
            assert context["allowPrivilegeEscalation"] is False
            assert context["readOnlyRootFilesystem"] is True
            assert context["capabilities"]["drop"] == ["ALL"]
            assert container["resources"]["limits"]["memory"]
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    for name, service in compose["services"].items():
        assert service["deploy"]["resources"]["limits"]["memory"], name
        assert ":" in service["image"], name
        assert name in ("bucket", "migrate", "api", "worker") or service["healthcheck"], name


def test_no_secret_stands_in_a_file() -> None:
    [secret] = documents(DEPLOY / "kubernetes/secret.example.yaml")
    assert all("REPLACE" in value for value in secret["stringData"].values())
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    for service in compose["services"].values():
        for name, value in service.get("environment", {}).items():
            if re.search(r"PASSWORD|SECRET|_KEY$", name):
                assert value.startswith("${"), name


# --- Alerts and the dashboard -----------------------------------------------------------------------------------------


def samples() -> set[str]:
    """The names of all samples that a scrape can have."""
    names = set()
    for line in (generate_latest(Metrics().registry) + exposition(Metrics(), Queue({}, 0))).decode().splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            parts = {"histogram": ("bucket", "sum", "count"), "summary": ("sum", "count")}.get(kind, ())
            names |= {name, *(f"{name}_{part}" for part in parts)}
    return names


def expressions() -> Iterator[tuple[str, str]]:
    for group in yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text("utf-8"))["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["expr"]
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"].replace("$__rate_interval", "5m")


def dashboard() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DEPLOY / "grafana/contentgen.json").read_text("utf-8"))
    return found


def test_alerts_and_panels_ask_for_metrics_that_exist_with_labels_that_they_have() -> None:
    known, labels = samples() | {"up"}, labels_of_metrics()
    for name, expression in expressions():
        promql_parser.parse(expression)
        bare = re.sub(r'"[^"]*"', '""', expression)
        used = set(re.findall(r"\b(?:contentgen|process)_[a-z_]+|\bup\b", bare))
        assert used, name
        assert used <= known, name
        asked = {label for part in re.findall(r"\{([^}]*)\}", bare) for label in re.findall(r"(\w+)\s*[=!]", part)}
        asked |= {label for part in re.findall(r"by \(([^)]*)\)", bare) for label in re.findall(r"\w+", part)}
        had = {label for metric in used for label in labels.get(re.sub(PARTS, "", metric), ())}
        assert asked <= had | {"le", "instance", "job"}, name


PARTS = r"_(bucket|sum|count|created|total)$"


def labels_of_metrics() -> dict[str, set[str]]:
    found = {
        metric._name: set(metric._labelnames) for metric in vars(Metrics()).values() if hasattr(metric, "_labelnames")
    }
    return found | {name: {"kind"} for name in ("contentgen_jobs_due", "contentgen_jobs_waiting_seconds")}


def test_every_metric_of_ours_is_shown_on_the_dashboard() -> None:
    shown = "\n".join(target["expr"] for panel in dashboard()["panels"] for target in panel.get("targets", ()))
    ours = {re.sub(PARTS, "", name) for name in samples() if name.startswith("contentgen")}
    assert {name for name in ours if name not in shown} == set()


def test_every_alert_says_what_it_means_and_what_to_do() -> None:
    [group] = yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text("utf-8"))["groups"]
    page = (ROOT / "docs/howto/operate.md").read_text("utf-8")
    for rule in group["rules"]:
        assert rule["annotations"].keys() == {"summary", "meaning", "action"}
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert f"`{rule['alert']}`" in page, rule["alert"]


def test_outcomes_and_kinds_that_alerts_name_are_told() -> None:
    from contentgen_core.model.job import JobKind

    told = {"done", "failed", "retried", "lost", "handed_back", "interrupted", "error", "ok", "published"}
    text = "\n".join(expression for _, expression in expressions())
    outcomes = {one for found in re.findall(r'outcome[=!]~?"([^"]+)"', text) for one in found.split("|")}
    assert outcomes <= told
    assert set(re.findall(r'kind[=!]="([^"]+)"', text)) <= {kind.value for kind in JobKind}
