"""People of a tenant on a running service, with commands beside it and a mail server behind it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.process.service import Service, figure, run, until
from tests.process.test_tenants import new_tenant
from tests.support.mail_server import mail_server

MAIL_FROM = {
    "CONTENTGEN_MAIL_FROM": "Contentgen <no-reply@example.org>",
    "CONTENTGEN_PUBLIC_URL": "https://cg.example.org",
}
ONE, ANOTHER = ({"CONTENTGEN_SECRET_KEY": letter * 40} for letter in "ab")


def accepted(service: Service, link: str, name: str = "Ada") -> dict[str, Any]:
    answer = service.http.post("/team/accept", json={"token": link.partition("token=")[2], "name": name})
    assert answer.status_code == 200, answer.text
    joined: dict[str, Any] = answer.json()
    return joined


def test_an_invitation_goes_by_mail_and_its_link_is_in_no_log(serve: Callable[..., Service], data_dir: Path) -> None:
    with mail_server() as post:
        post.answers["rcpt"] = "450 4.2.1 Greylisted"
        url = {"CONTENTGEN_SMTP_URL": f"smtp://127.0.0.1:{post.port}"}
        service = serve({**MAIL_FROM, **url, "CONTENTGEN_LOG_LEVEL": "debug"}, demo=False)
        service.start()
        tenant = new_tenant(service, "pro")
        with service.client(tenant["apiKey"]) as owner:
            body = {"email": "ada@example.org", "role": "editor"}
            began = time.monotonic()
            assert owner.post("/team/invite", json=body).status_code == 200
            assert time.monotonic() - began < 1, "no answer waits for the mail server"

            def shown() -> dict[str, Any]:
                found: dict[str, Any] = owner.get("/team").json()["members"][1]
                return found

            error = until(lambda: shown().get("deliveryError"), 20, "the refusal")
            assert "450" in error
            assert shown()["delivery"] == "pending"
            post.answers.clear()
            renewed = owner.post("/team/invite", json=body).json()
            until(lambda: shown()["delivery"] == "sent", 20, shown)
            assert post.to == [["ada@example.org"]]
            [link] = re.findall(r"https://\S+", post.taken[0].get_content())
            assert link != renewed["inviteUrl"], "whoever invites does not get the link that joins"
            shown_token = renewed["inviteUrl"].partition("token=")[2]
            refused = service.http.post("/team/accept", json={"token": shown_token, "name": "Whoever invites"})
            assert (refused.status_code, refused.json()["code"]) == (400, "invitation_not_mailed")
            assert link.startswith("https://cg.example.org/team/accept?token=")
            assert service.http.get("/team/accept", params={"token": link.partition("token=")[2]}).status_code == 200
            joined = accepted(service, link)
            with service.client(joined["key"]) as ada:
                assert ada.get("/account").json()["user"]["email"] == "ada@example.org"
        service.interrupt()
        log = service.log() + (data_dir / "postgres.log").read_text("utf-8", "replace")
        assert "job ended" in log
        for secret in (link.partition("token=")[2], joined["key"]):
            assert secret not in log


def test_people_are_managed_from_the_command_line_beside_a_running_service(shared: Service) -> None:
    tenant, place = new_tenant(shared, "pro"), shared.data_dir

    def team(*arguments: str) -> str:
        done = run("team", *arguments, "--tenant", tenant["tenantId"], data_dir=place)
        assert done.returncode == 0, done.stderr
        return done.stdout

    made = json.loads(team("invite", "ada@example.org", "--role", "admin", "--json"))
    assert made["inviteUrl"].startswith("http://")
    joined = accepted(shared, made["inviteUrl"])
    rows = json.loads(team("list", "--json"))
    assert [(row["status"], row["role"], row["email"]) for row in rows] == [
        ("active", "owner", None),
        ("active", "admin", "ada@example.org"),
    ]
    with shared.client(joined["key"]) as ada:
        assert ada.get("/account").json()["permissions"][-1] == "keys.manage"
        assert team("remove", joined["userId"]).strip() == "removed"
        began = time.monotonic()
        until(lambda: ada.get("/tenant").status_code == 401, 1.0, "401")
        figure(f"removed by a command: stopped after {time.monotonic() - began:.2f} s")
    last = run("team", "remove", tenant["userId"], "--tenant", tenant["tenantId"], data_dir=place)
    assert (last.returncode, "last owner" in last.stderr) == (1, True)
    unsure = run("tenants", "delete", tenant["tenantId"], data_dir=place)
    assert unsure.returncode != 0, "somebody has to say yes"
    with shared.client(tenant["apiKey"]) as owner:
        assert owner.get("/tenant").status_code == 200
        deleted = run("tenants", "delete", tenant["tenantId"], "--yes", data_dir=place)
        assert (deleted.returncode, deleted.stdout) == (0, "deleted\n"), deleted.stderr
        until(lambda: owner.get("/tenant").status_code == 401, 1.0, "401")


def test_a_command_with_another_secret_does_nothing_and_says_what_to_set(
    serve: Callable[..., Service], data_dir: Path
) -> None:
    service = serve(ONE, demo=False)
    service.start()
    tenant = new_tenant(service, "pro")
    create = ("keys", "create", "--tenant", tenant["tenantId"], "--json")
    for env in (ANOTHER, {}):
        refused = run(*create, data_dir=data_dir, env=env)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "CONTENTGEN_SECRET_KEY" in refused.stderr
        assert "contentgen keys accept-secret" in refused.stderr
        assert "b" * 40 not in refused.stderr
    made = run(*create, data_dir=data_dir, env=ONE)
    assert made.returncode == 0, made.stderr
    with service.client(json.loads(made.stdout)["key"]) as client:
        assert client.get("/account/keys").json()["total"] == 2, "nothing was made by what was refused"
    other_sealing = ONE | {"CONTENTGEN_SEALING_KEYS": "c" * 40}
    worker = run("worker", data_dir=data_dir, env=other_sealing)
    told = run("keys", "list", "--tenant", tenant["tenantId"], data_dir=data_dir, env=other_sealing)
    rotated = run("secrets", "rotate", data_dir=data_dir, env=other_sealing)
    assert (worker.returncode, told.returncode, rotated.returncode) == (1, 0, 1)
    for done in (worker, told, rotated):
        assert "contentgen secrets accept-keys" in done.stderr
        assert "c" * 40 not in done.stderr


def test_a_secret_is_changed_deliberately(serve: Callable[..., Service], data_dir: Path) -> None:
    service = serve(ONE, demo=False)
    service.start()
    tenant = new_tenant(service, "pro")
    service.interrupt()
    unsure = run("keys", "accept-secret", data_dir=data_dir, env=ANOTHER)
    assert unsure.returncode != 0, "somebody has to say yes"
    accepted_ = run("keys", "accept-secret", "--yes", data_dir=data_dir, env=ANOTHER)
    assert accepted_.returncode == 0, accepted_.stderr
    former = run("keys", "list", "--tenant", tenant["tenantId"], data_dir=data_dir, env=ONE)
    assert (former.returncode, "CONTENTGEN_SECRET_KEY" in former.stderr) == (1, True)
    service.env.clear()
    service.env.update(ANOTHER)
    service.start()
    with service.client(tenant["apiKey"]) as client:
        assert client.get("/tenant").status_code == 401
    made = run("keys", "create", "--tenant", tenant["tenantId"], "--json", data_dir=data_dir, env=ANOTHER)
    with service.client(json.loads(made.stdout)["key"]) as client:
        assert client.get("/tenant").status_code == 200


def test_mail_settings_that_cannot_work_stop_the_start(data_dir: Path) -> None:
    env = {"CONTENTGEN_SMTP_URL": "smtp://user:s3cret@mail.example.org"}
    done = run("serve", "--port", "0", data_dir=data_dir, env=env)
    assert (done.returncode, "CONTENTGEN_MAIL_FROM" in done.stderr) == (1, True)
    assert "s3cret" not in done.stdout + done.stderr
