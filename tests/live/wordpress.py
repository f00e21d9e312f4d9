"""A WordPress of one's own: Debian's, PHP's small web server, and a MariaDB that listens on a socket alone."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import httpx
from attrs import frozen

from tests.live.debian import Programs, unpacked
from tests.live.peers import START_SECONDS, CannotInstall, answering, free_port, install, running

PACKAGES: Final = ("wordpress", "php-cli", "php-mysql", "php-gd", "mariadb-server")
_EXTENSIONS: Final = ("mysqlnd", "mysqli", "tokenizer", "ctype", "fileinfo", "iconv", "exif", "gd")
_ROUTER: Final = """<?php
$path = $_SERVER['DOCUMENT_ROOT'] . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (is_file($path)) {
    return false;
}
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
"""
_CONFIG: Final = """<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:{socket}');
define('DB_CHARSET', 'utf8mb4');
define('WP_ENVIRONMENT_TYPE', 'local'); // else no application passwords over http
define('WP_SITEURL', '{site}');
define('WP_HOME', '{site}');
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true); // cron is called by the checks
$table_prefix = 'wp_';
if (!defined('ABSPATH')) {{
    define('ABSPATH', __DIR__ . '/');
}}
require ABSPATH . 'wp-settings.php';
"""


@frozen
class WordPress:
    """`address`: of its web server. `passwords`: application passwords by the name of the user, which is the role."""

    address: str
    version: str
    passwords: Mapping[str, str]

    def client(self, user: str = "editor") -> httpx.AsyncClient:
        """The REST API as its own documentation describes it."""
        return httpx.AsyncClient(
            base_url=f"{self.address}/wp-json/wp/v2", auth=(user, self.passwords[user]), timeout=30, trust_env=False
        )


@asynccontextmanager
async def wordpress(programs: Programs, folder: Path, site: str | None = None) -> AsyncIterator[WordPress]:
    """Start one in an empty folder. `site`: the address that it is to have in its own links. Raises CannotInstall."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    web, socket = folder / "web", folder / "db.sock"
    await asyncio.to_thread(_copied, programs, web)
    web.joinpath("wp-config.php").write_text(_CONFIG.format(socket=socket, site=site or address), "utf-8")
    folder.joinpath("router.php").write_text(_ROUTER, "utf-8")
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(_mariadb(programs, folder, socket))
        php, environment = await _php(programs, folder)
        setup = Path(__file__).with_name("wordpress.php")
        printed = await install(php, str(setup), str(web), site or address, environment=environment)
        made = json.loads(printed.strip().splitlines()[-1])
        command = (php, "-S", f"127.0.0.1:{port}", "-t", str(web), str(folder / "router.php"))
        workers = {**environment, "PHP_CLI_SERVER_WORKERS": "4"}
        await stack.enter_async_context(running(*command, environment=workers, log=folder / "php.log"))
        await answering(f"{address}/wp-json/")
        yield WordPress(address, made["version"], made["passwords"])


async def packages(folder: Path) -> Programs:
    """Raises CannotInstall."""
    return await unpacked(folder, PACKAGES)


def _copied(programs: Programs, web: Path) -> None:
    """A copy to be written into, with the files that links point to."""
    shutil.copytree(
        programs.share("wordpress"), web, ignore=shutil.ignore_patterns(".htaccess", "wp-config.php"),
        ignore_dangling_symlinks=True,
    )  # fmt: skip
    web.joinpath("wp-content", "uploads").mkdir(exist_ok=True)


@asynccontextmanager
async def _mariadb(programs: Programs, folder: Path, socket: Path) -> AsyncIterator[None]:
    data, environment = folder / "db", programs.environment
    prepare, server = programs.find("mariadb-install-db"), programs.find("mariadbd")
    base = programs.root_of(server) / "usr"
    common = ["--no-defaults", f"--basedir={base}", f"--datadir={data}"]
    if os.geteuid() == 0:
        common.append("--user=root")  # it refuses to be root without being told
    quick = ("--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve")
    await install(str(prepare), *common, *quick, environment=environment)
    listening = ("--skip-networking", f"--socket={socket}", f"--pid-file={folder / 'db.pid'}")
    command = (str(server), *common, *listening, "--innodb-use-native-aio=0", "--innodb-flush-log-at-trx-commit=0")
    async with running(*command, environment=environment, log=folder / "db.log") as process:
        client = (str(programs.find("mariadb", "mysql")), "--no-defaults", f"--socket={socket}", "--user=root")
        async with asyncio.timeout(START_SECONDS):
            while not await asyncio.to_thread(socket.exists):
                if process.returncode is not None:
                    raise CannotInstall(f"MariaDB ended: {folder.joinpath('db.log').read_text('utf-8')[-400:]}")
                await asyncio.sleep(0.05)
        await install(*client, "--execute", "CREATE DATABASE wordpress CHARACTER SET utf8mb4", environment=environment)
        yield


async def _php(programs: Programs, folder: Path) -> tuple[str, Mapping[str, str]]:
    """The interpreter, and an environment in which it has what WordPress needs. Raises CannotInstall."""
    php = programs.find("php", "php[0-9].[0-9]")
    environment = dict(programs.environment)
    if modules := sorted((programs.folder / "usr" / "lib" / "php").glob("2*")):
        settings = folder / "php"
        settings.mkdir()
        paths = [modules[-1] / f"{name}.so" for name in _EXTENSIONS]
        lines = [f"extension={path}" for path in paths if path.exists()]
        settings.joinpath("extensions.ini").write_text("\n".join(lines) + "\n", "utf-8")
        installed = programs.root_of(php) != programs.folder  # then it has settings of its own, too
        environment["PHP_INI_SCAN_DIR"] = f":{settings}" if installed else str(settings)
    if "mysqli" not in (await install(str(php), "-m", environment=environment)).split():
        raise CannotInstall(f"{php} has no mysqli: is php-mysql installed for it?")
    return str(php), environment
