"""A Git server on loopback, by dulwich."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from attrs import define, field
from dulwich.objects import Blob, Commit, Tree
from dulwich.repo import Repo
from dulwich.server import DictBackend
from dulwich.web import make_wsgi_chain


@define
class GitServer:
    """`host`: `127.0.0.1:port`. `token`: what a request needs, if not empty. `status`: what every request is answered
    with, if not 0; `location`: where to. `stream`: the body of every POST, if not None."""

    host: str
    repo: Repo
    token: str = ""
    status: int = 0
    location: str = ""
    stream: Callable[[], Iterator[bytes]] | None = None
    asked: list[str] = field(factory=list)

    @property
    def address(self) -> str:
        return f"http://{self.host}/handbook.git"

    def commit(self, files: Mapping[str, bytes], branch: str = "main") -> None:
        """A commit that has these files and no others."""
        self.commit_tree(_tree(self.repo, dict(files)), branch)

    def commit_tree(self, tree: bytes, branch: str = "main") -> None:
        commit, name = Commit(), f"refs/heads/{branch}".encode()
        commit.tree = tree  # type: ignore[assignment]
        commit.author = commit.committer = b"Ada <ada@a.example>"
        commit.author_time = commit.commit_time = 1_700_000_000
        commit.author_timezone = commit.commit_timezone = 0
        commit.message = b"Change"
        commit.parents = [self.repo.refs[name]] if name in self.repo.refs else []  # type: ignore[index,operator]
        self.repo.object_store.add_object(commit)
        self.repo.refs[name] = commit.id  # type: ignore[index]


def _tree(repo: Repo, files: dict[str, bytes]) -> bytes:
    tree, inner = Tree(), dict[str, dict[str, bytes]]()
    for path, content in files.items():
        first, _, rest = path.partition("/")
        if rest:
            inner.setdefault(first, {})[rest] = content
        else:
            blob = Blob.from_string(content)
            repo.object_store.add_object(blob)
            tree.add(first.encode(), 0o100644, blob.id)
    for name, below in inner.items():
        tree.add(name.encode(), 0o040000, _tree(repo, below))  # type: ignore[arg-type]
    repo.object_store.add_object(tree)
    return tree.id


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


@contextmanager
def git_server(folder: Path) -> Iterator[GitServer]:
    """A server of one empty repository, `/handbook.git`, whose branch is main."""
    repo = Repo.init_bare(str(folder), mkdir=True, default_branch=b"main")
    application = make_wsgi_chain(DictBackend({b"/handbook.git": repo, "/handbook.git": repo}))
    state: dict[str, GitServer] = {}

    def guarded(environ: dict[str, Any], start_response: Any) -> Any:
        server = state["server"]
        server.asked.append(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}")
        if server.status:
            start_response(f"{server.status} No", [("Location", server.location)] if server.location else [])
            return [b""]
        if server.token and server.token not in environ.get("HTTP_AUTHORIZATION", ""):
            start_response("401 Unauthorized", [("WWW-Authenticate", "Basic")])
            return [b""]
        if server.stream is not None and environ["REQUEST_METHOD"] == "POST":
            start_response("200 OK", [("Content-Type", "application/x-git-upload-pack-result")])
            return server.stream()
        return application(environ, start_response)

    with make_server("127.0.0.1", 0, guarded, server_class=_Server, handler_class=_Quiet) as http:
        state["server"] = GitServer(f"127.0.0.1:{http.server_port}", repo)
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield state["server"]
        finally:
            http.shutdown()
            repo.close()
