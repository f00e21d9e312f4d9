"""The other commands, beside a running service and without one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import docx
import fpdf
import pypdf
import pytest

from contentgen_core.model.ids import TenantId
from contentgen_core.use_cases.niches.manage_niches import ActivateNicheCommand
from contentgen_grounded.settings_in_force import table
from contentgen_http.commands.console import with_services
from contentgen_http.services import Services
from tests.process.articles import ENDED, generate, problem
from tests.process.service import Service, run, until

WORDS = "The tide mill of Oldport grinds {} tonnes of rye a year. Its wheel turns when the sea falls. {}"
TOPIC = "The tide mill of Oldport and its wheel"
FILES = 6


def text(number: int) -> str:
    more = " ".join(f"The tide mill has a sluice number {number}{n} made of oak." for n in range(6))
    return WORDS.format(100 + number, more)


def pdf(path: Path, content: str) -> None:
    made = fpdf.FPDF()
    made.add_page()
    made.set_font("Helvetica", size=12)
    made.multi_cell(0, 8, content)
    made.output(str(path))


def protected_pdf(path: Path, content: str) -> None:
    pdf(path, content)
    writer = pypdf.PdfWriter(clone_from=path)
    writer.encrypt("a password", algorithm="RC4-128")
    writer.write(path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One file of each type, a JSONL with two sources."""
    sources = tmp_path / "sources"
    (sources / "below").mkdir(parents=True)
    (sources / "a.md").write_text(f"# The mill in Markdown\n\n{text(1)}\n", encoding="utf-8")
    page = (
        f"<html><head><title>The mill on the web</title></head><body><article><p>{text(2)}</p></article></body></html>"
    )
    (sources / "b.html").write_text(page, encoding="utf-8")
    pdf(sources / "c.pdf", text(3))
    word = docx.Document()
    word.add_heading("The mill in Word")
    word.add_paragraph(text(4))
    word.save(str(sources / "d.docx"))
    (sources / "below" / "e.txt").write_text(text(5), encoding="utf-8")
    lines = [{"id": f"mill-{n}", "title": f"The mill {n}", "url": "", "text": text(n)} for n in (6, 7)]
    (sources / "f.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return sources


def tenant(data_dir: Path, plan: str = "pro") -> dict[str, str]:
    made = run("tenants", "create", "--name", "A tenant", "--plan", plan, "--json", data_dir=data_dir)
    assert made.returncode == 0, made.stderr
    found: dict[str, str] = json.loads(made.stdout)
    return found


def activate(tenant_id: str, niche_key: str, data_dir: Path) -> None:
    """There is no command for it: tenants activate their niches themselves, over HTTP."""

    async def run(services: Services) -> None:
        owner = await services.people.tenants.owner_of(TenantId(tenant_id))
        await services.agents.niches.activate(
            ActivateNicheCommand(owner, niche_key, ("professional",), ("en",), ("GB",))
        )

    with_services(data_dir, run)


def counts(*arguments: str | Path, data_dir: Path) -> dict[str, int]:
    done = run("kb", "import", *arguments, "--json", data_dir=data_dir)
    assert done.returncode == 0, done.stderr
    found: dict[str, int] = json.loads(done.stdout)
    return found


def one_line(*arguments: str | Path, data_dir: Path | None = None) -> str:
    """The one line that a command which failed says, beside its progress."""
    ended = run(*arguments, data_dir=data_dir)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
    said = [line for line in ended.stderr.splitlines() if line.startswith("contentgen: ")]
    assert len(said) == 1, ended.stderr
    assert ended.stderr.splitlines()[-1] == said[0]
    return said[0]


def test_operators_add_system_agents_and_take_them_away(data_dir: Path) -> None:
    mine = tenant(data_dir)["tenantId"]
    activate(mine, "home-energy", data_dir)
    create = ("agents", "create-system", "--niche", "home-energy", "--country")
    made = run(*create, "US", "--name", "America", "--json", data_dir=data_dir)
    assert made.returncode == 0, made.stderr
    agent = json.loads(made.stdout)
    assert {name: agent[name] for name in ("agentKey", "name")} == {"agentKey": "home-energy-US", "name": "America"}
    assert "home-energy-US already" in one_line(*create, "US", data_dir=data_dir)
    assert "XX" in one_line(*create, "XX", data_dir=data_dir)
    listed = run("agents", "list-system", "--json", data_dir=data_dir)
    assert json.loads(listed.stdout) == [agent]
    assert agent["id"] in run("agents", "list-system", data_dir=data_dir).stdout
    assert run("agents", "delete-system", agent["id"], data_dir=data_dir).returncode == 0
    assert "no agent" in one_line("agents", "delete-system", agent["id"], data_dir=data_dir)
    assert json.loads(run("agents", "list-system", "--json", data_dir=data_dir).stdout) == []


def test_operators_read_which_niches_were_asked_for(data_dir: Path) -> None:
    mine = tenant(data_dir)["tenantId"]

    async def ask(services: Services) -> None:
        owner = await services.people.tenants.owner_of(TenantId(mine))
        await services.agents.niche_requests.ask(owner, "Boats", "On water")
        await services.agents.niche_requests.ask(owner, "Cars")

    with_services(data_dir, ask)
    shown = json.loads(run("niches", "requests", "--json", data_dir=data_dir).stdout)
    assert [(row["tenantId"], row["name"], row["description"]) for row in shown] == [
        (mine, "Cars", None), (mine, "Boats", "On water"),
    ]  # fmt: skip
    assert len(json.loads(run("niches", "requests", "--limit", "1", "--json", data_dir=data_dir).stdout)) == 1
    assert "Boats" in run("niches", "requests", data_dir=data_dir).stdout


def test_statistics_are_told_as_a_table_and_as_json(data_dir: Path, folder: Path) -> None:
    mine = tenant(data_dir)["tenantId"]
    imported = counts(folder, "--niche", "home-energy", "--tenant", mine, data_dir=data_dir)
    asked = ("kb", "stats", "--niche", "home-energy", "--tenant", mine)
    assert "activated niche" in one_line(*asked, data_dir=data_dir)
    activate(mine, "home-energy", data_dir)
    found = json.loads(run(*asked, "--json", data_dir=data_dir).stdout)
    assert (found["documents"], found["total"]) == (imported["added"], imported["passages"])
    shown = run(*asked, data_dir=data_dir)
    assert shown.returncode == 0, shown.stderr
    assert "Knowledge base home-energy" in shown.stdout
    shared = json.loads(run("kb", "stats", "--niche", "home-energy", "--json", data_dir=data_dir).stdout)
    assert shared["total"] == 0
    one_line("kb", "stats", "--niche", "no-such-niche", data_dir=data_dir)


def test_everything_works_without_a_running_service(data_dir: Path, folder: Path) -> None:
    first, again = run("migrate", data_dir=data_dir), run("migrate", data_dir=data_dir)
    assert (first.returncode, again.returncode) == (0, 0)
    assert first.stdout.startswith("applied: 0001_")
    assert again.stdout.strip() == "up to date"
    made = tenant(data_dir)
    keys = json.loads(run("keys", "list", "--tenant", made["tenantId"], "--json", data_dir=data_dir).stdout)
    assert [key["revoked"] for key in keys] == [False]
    assert counts(folder, "--niche", "home-energy", data_dir=data_dir)["added"] == FILES + 1
    assert run("tenants", "set-plan", made["tenantId"], "business", data_dir=data_dir).returncode == 0
    budget = ("tenants", "budget", made["tenantId"])
    assert run(*budget, "--tokens", "5000", data_dir=data_dir).returncode == 0
    assert "5000" in run(*budget, data_dir=data_dir).stdout
    assert "none are set" in run(*budget, "--amount", "5", "--currency", "EUR", data_dir=data_dir).stderr
    assert "5000" not in run(*budget, "--clear", data_dir=data_dir).stdout
    service = Service(data_dir, demo=False)
    try:
        service.start()
        with service.client(made["apiKey"]) as client:
            assert client.get("/tenant").json()["plan"] == "business"
            client.post(
                "/niches/home-energy/activate",
                json={"tones": ["professional"], "languages": ["en"], "countries": ["GB"]},
            )
            answer = client.post("/writer/check-kb-coverage", json={"agentKey": "home-energy-GB", "topic": TOPIC})
            assert answer.json()["coverage"]["sourcesFound"] >= 3, answer.text
    finally:
        service.close()


def test_an_import_beside_the_service_is_found_at_once_and_only_by_whom_it_is_for(
    shared: Service, folder: Path
) -> None:
    made, other = tenant(shared.data_dir), tenant(shared.data_dir)

    def found(key: str) -> int:
        with shared.client(key) as client:
            body = {"tones": ["professional"], "languages": ["en"], "countries": ["GB"]}
            assert client.post("/niches/home-energy/activate", json=body).status_code == 200
            answer = client.post("/writer/check-kb-coverage", json={"agentKey": "home-energy-GB", "topic": TOPIC})
            assert answer.status_code == 200, answer.text
            return int(answer.json()["coverage"]["sourcesFound"])

    assert found(made["apiKey"]) == 0
    target = ["--niche", "home-energy", "--tenant", made["tenantId"], "--country", "GB"]
    first = counts(folder, *target, data_dir=shared.data_dir)
    assert found(made["apiKey"]) >= 3
    assert found(other["apiKey"]) == 0
    assert first["passages"] >= FILES + 1
    assert (first["added"], first["updated"], first["unchanged"], first["unreadable"]) == (FILES + 1, 0, 0, 0)
    second = counts(folder, *target, data_dir=shared.data_dir)
    assert second == {
        "added": 0,
        "updated": 0,
        "unchanged": FILES + 1,
        "passages": 0,
        "withoutText": 0,
        "unreadable": 0,
    }
    (folder / "a.md").write_text(f"# The mill in Markdown\n\n{text(8)}\n", encoding="utf-8")
    third = counts(folder, *target, data_dir=shared.data_dir)
    assert (third["added"], third["updated"], third["unchanged"]) == (0, 1, FILES)


MILL = (
    "The tide mill of Oldport grinds 140 tonnes of rye a year. The wheel of the tide mill turns when the sea falls.",
    "The tide mill of Oldport was built in 1780. Its wheel is made of oak and measures six metres across.",
    "Visitors see the wheel of the tide mill of Oldport from May to September. The mill belongs to the town.",
)


def test_an_article_follows_its_source_from_the_command_line(shared: Service, tmp_path: Path) -> None:
    made = tenant(shared.data_dir)
    target = ["--niche", "home-energy", "--tenant", made["tenantId"]]
    files = [tmp_path / f"mill-{n}.md" for n in range(len(MILL))]
    for n, (file, content) in enumerate(zip(files, MILL, strict=True)):
        file.write_text(f"# {TOPIC}, part {n}\n\n{content}\n", encoding="utf-8")
    counts(tmp_path, *target, data_dir=shared.data_dir)

    def said(*arguments: str, group: str = "updates") -> str:
        done = run(group, *arguments, "--tenant", made["tenantId"], data_dir=shared.data_dir)
        assert done.returncode == 0, done.stderr
        return done.stdout

    with shared.client(made["apiKey"]) as client:
        body = {"tones": ["professional"], "languages": ["en"], "countries": ["GB"]}
        assert client.post("/niches/home-energy/activate", json=body).status_code == 200
        answer = generate(client, "home-energy", TOPIC)
        assert answer.status_code == 200, answer.text
        article = answer.json()["articleId"]
        until(lambda: client.get(f"/writer/{article}").json()["status"] in ENDED, 30, "no article")
        written = client.get(f"/writer/{article}").json()["content"]
        assert "140 tonnes" in written
        assert said("propose", article).startswith("fresh")
        assert said("list") == ""
        files[0].write_text(files[0].read_text("utf-8").replace("140", "95"), encoding="utf-8")
        counts(tmp_path, *target, data_dir=shared.data_dir)
        proposed = said("propose", article)
        assert said("list") == proposed
        assert [line.strip()[:1] for line in proposed.splitlines()[2:]] == ["-", "+"]
        assert "grinds 95 tonnes" in proposed
        update = proposed.split()[0]
        assert said("reject", update) == "rejected\n"
        assert "applied" not in said("list", "--state", "rejected")
        update = said("propose", article).split()[0]
        assert said("accept", update, "--publish") == "1 sentences changed, 0 posts being updated\n"
        assert client.get(f"/writer/{article}").json()["content"] == written.replace("140", "95")
        assert said("similar", TOPIC, group="articles").startswith(f"{article}  ")
        assert said("propose", article, group="links") == said("list", article, group="links") == ""
        submitted = said("submit", article, group="articles")
        assert submitted.startswith("inReview: ")
        read = submitted.split()[-1]
        assert said("approve", article, "--text", read, group="articles").startswith("approved: ")
        assert said("send-back", article, "--reason", "Who says so?", group="articles").startswith("changesRequested: ")


def test_an_export_becomes_queues_on_the_command_line(shared: Service, tmp_path: Path) -> None:
    made = tenant(shared.data_dir)
    export = tmp_path / "Queries.csv"
    export.write_text("Query,Clicks,Impressions,Position\nvintage tractor gearbox,2,900,12\n,1,2,3\n", "utf-8")

    def said(*arguments: object) -> str:
        options = ("--niche", "home-energy", "--tenant", made["tenantId"])
        done = run("queries", *map(str, arguments), *options, data_dir=shared.data_dir)
        assert done.returncode == 0, done.stderr
        return done.stdout

    with shared.client(made["apiKey"]) as client:
        body = {"tones": ["professional"], "languages": ["en"], "countries": ["GB"]}
        assert client.post("/niches/home-energy/activate", json=body).status_code == 200
    first, found = said("import", export, "--start", "2025-10-01", "--end", "2025-10-28").splitlines()
    assert first == "2025-10-01 to 2025-10-28  queries: 1 rows, 2 clicks, 900 impressions"
    assert found == "1 groups of queries looked at: 0 to write, 1 to enrich, 0 to refresh, 0 to merge"
    entry, reason, count = said("queues", "--queue", "enrich").splitlines()
    assert entry == "enrich  +67 a month  vintage tractor gearbox"
    assert reason.strip().startswith("Shown 900 times in 28 days at position 12.0, with 2 clicks.")
    assert count == "1 of 1"
    assert said("queues", "--queue", "merge") == "0 of 0\n"


def test_files_that_cannot_be_read_are_named_while_the_others_come_in(data_dir: Path, folder: Path) -> None:
    protected_pdf(folder / "locked.pdf", text(9))
    (folder / "broken.docx").write_bytes(b"this is no Word file")
    with (folder / "huge.md").open("wb") as huge:
        huge.truncate(200 * 2**20)
    done = run("kb", "import", folder, "--niche", "home-energy", "--json", data_dir=data_dir)
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert (report["added"], report["unreadable"]) == (FILES + 1, 3)
    lines = [line for line in done.stderr.splitlines() if line.startswith("not read: ")]
    assert len(lines) == 3, done.stderr
    for name, why in (("locked.pdf", "password"), ("broken.docx", "not a Word file"), ("huge.md", "Split it")):
        assert any(name in line and why in line for line in lines), lines
    assert "Traceback" not in done.stderr


def test_what_does_not_exist_is_one_clear_line(shared: Service, folder: Path, tmp_path: Path) -> None:
    place = shared.data_dir
    nobody = "0199b6c2-7d3e-7c10-9f6e-2f1f3c0a5b11"
    (tmp_path / "empty").mkdir()
    importing: list[str | Path] = ["kb", "import", folder, "--niche"]
    assert "no-such-niche" in one_line(*importing, "no-such-niche", data_dir=place)
    assert nobody in one_line(*importing, "home-energy", "--tenant", nobody, data_dir=place)
    assert "ISO 3166" in one_line(*importing, "home-energy", "--country", "XX", data_dir=place)
    gone = one_line("kb", "import", tmp_path / "gone", "--niche", "home-energy", data_dir=place)
    assert "no such file" in gone
    assert "empty" in one_line("kb", "import", tmp_path / "empty", "--niche", "home-energy", data_dir=place)
    for command in (
        ["keys", "list", "--tenant", nobody],
        ["keys", "create", "--tenant", "no id"],
        ["keys", "revoke", "no key", "--tenant", nobody],
        ["tenants", "set-plan", nobody, "pro"],
    ):
        assert "There is no tenant" in one_line(*command, data_dir=place)
    assert "no key" in one_line("keys", "revoke", "no key", "--tenant", tenant(place)["tenantId"], data_dir=place)
    unknown_plan = run("tenants", "create", "--name", "A", "--plan", "gold", data_dir=place)
    assert unknown_plan.returncode == 2
    assert "gold" in unknown_plan.stderr


def test_bad_names_are_refused(shared: Service) -> None:
    create = ["tenants", "create", "--plan", "free", "--name"]
    for name in ("   ", "a" * 1_000):
        assert "name: between 1 and 100 characters" in one_line(*create, name, data_dir=shared.data_dir)
    assert "text" in one_line(*create, os.fsdecode(b"no UTF-8: \xff"), data_dir=shared.data_dir)


def test_a_bad_setting_is_one_line_that_names_it(data_dir: Path) -> None:
    for name, value in (("PORT", "many"), ("GENERATIONS", "0"), ("CONTENT_MODEL", "poet"), ("SECRET_KEY", "short")):
        ended = run("serve", data_dir=data_dir, env={f"CONTENTGEN_{name}": value})
        assert ended.returncode == 1
        assert len(ended.stderr.splitlines()) == 1, ended.stderr
        assert f"CONTENTGEN_{name}" in ended.stderr
        if name == "SECRET_KEY":
            assert "short" not in ended.stderr.removeprefix("contentgen: ").split("`")[0].replace("shorter", "")


def test_a_command_warns_of_variables_that_are_no_setting(tmp_path: Path) -> None:
    done = run("migrate", data_dir=tmp_path, env={"CONTENTGEN_PORTT": "1"})
    assert "ignored: CONTENTGEN_PORTT is no setting: is CONTENTGEN_PORT meant?" in done.stderr


def test_settings_lists_every_variable() -> None:
    done = run("settings", env={"CONTENTGEN_PORTT": "1"})
    names = [name for name, _, _ in table()]
    assert len(names) > 15
    assert [name for name in names if name not in done.stdout] == []
    assert done.stderr == "CONTENTGEN_PORTT is no setting: is CONTENTGEN_PORT meant?\n"


def test_keys_revoked_and_unknown_are_refused_alike(shared: Service) -> None:
    for key in ("nonsense", "cg_" + "A" * 43):
        with shared.client(key) as client:
            assert problem(client.get("/tenant"), 401)["code"] == "unauthenticated"
