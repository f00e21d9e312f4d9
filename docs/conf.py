"""The site that `make docs-site` builds: the pages as they lie in the repository, so that their links hold in both."""

from __future__ import annotations

import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx_immaterial.mermaid_diagrams import MermaidDirective

SECTIONS = {
    "Documentation": ["docs/README"],
    "Quickstart": ["docs/quickstart/*"],
    "How-to": ["docs/howto/*", "deploy/README"],
    "Reference": ["docs/reference/*", "docs/conventions", "docs/glossary"],
    "Explanation": [
        "docs/architecture",
        "docs/explanation/*",
        "docs/performance/*",
        "docs/security",
        "docs/threat-model",
        "docs/verified",
        "docs/reliability",
        "docs/quality",
        "docs/benchmarks",
    ],
    "Decisions": ["docs/decisions/*"],
    "Project": ["CONTRIBUTING", "CHANGELOG"],
}

project = "Contentgen"
extensions = ["myst_parser", "sphinx_immaterial"]
root_doc = "README"
include_patterns = ["*.md", "docs/**.md", "deploy/README.md"]
exclude_patterns = [".*", "benchmarks", "build", "dist", "src", "tests"]
myst_heading_anchors = 6
myst_fence_as_directive = ["mermaid"]
suppress_warnings = ["misc.highlighting_failure"]  # JSON and console output are shown shortened, with an ellipsis

html_theme = "sphinx_immaterial"
html_title = project
html_theme_options = {"font": False, "features": ["navigation.top", "search.highlight"]}
html_static_path = ["site"]
html_css_files = ["tables.css"]
html_show_sphinx = False


def with_navigation(_app: Sphinx, page: str, source: list[str]) -> None:
    """Give the start page the tree of pages, which a reader of the repository has as its folders."""
    if page == root_doc:
        for name, pages in SECTIONS.items():
            listed = "\n".join(pages)
            source[0] += f"\n```{{toctree}}\n:caption: {name}\n:glob:\n:hidden:\n\n{listed}\n```\n"


def write_index(app: Sphinx, failure: Exception | None) -> None:
    """Write the page that a server answers a folder's address with."""
    if failure is None:
        folder = Path(app.outdir)
        shutil.copyfile(folder / f"{root_doc}.html", folder / "index.html")


def setup(app: Sphinx) -> None:
    app.add_directive("mermaid", MermaidDirective)
    app.connect("source-read", with_navigation)
    app.connect("build-finished", write_index)
