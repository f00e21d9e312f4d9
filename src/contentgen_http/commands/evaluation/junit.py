"""An evaluation as JUnit XML, as continuous integration reads it: a test for each figure, a suite for each part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree as Xml

from attrs import asdict

from contentgen_core.model.evaluation import FIGURES, Evaluation, Part
from contentgen_core.policies.evaluation.comparison import Compared
from contentgen_core.policies.text.printable import printable
from contentgen_core.policies.text.truncation import truncate

NAME: Final = "contentgen eval"
MAX_CASES: Final = 20
LONGEST_CASE: Final = 500


def junit(run: Evaluation, compared: Sequence[Compared]) -> bytes:
    """Figures that fell are failures, with the cases that went wrong."""
    failures = sum(each.fell for each in compared)
    root = Xml.Element(
        "testsuites", name=NAME, tests=str(len(compared)), failures=str(failures), errors="0", time=f"{run.seconds:g}"
    )
    for part in Part:
        own = [each for each in compared if each.name.partition(".")[0] == part]
        if own:
            root.append(_suite(run, part, own))
    Xml.indent(root)
    written: bytes = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _suite(run: Evaluation, part: Part, own: Sequence[Compared]) -> Xml.Element:
    suite = Xml.Element(
        "testsuite",
        name=part.value,
        tests=str(len(own)),
        failures=str(sum(each.fell for each in own)),
        errors="0",
        skipped="0",
        time="0",
        timestamp=f"{run.measured_at:%Y-%m-%dT%H:%M:%S}",
    )
    setup = run.setup
    properties = Xml.SubElement(suite, "properties")
    about = asdict(setup.cases) | {
        name: getattr(setup, name) for name in ("version", "embedder", "writer", "knowledge")
    }
    for name, value in about.items():
        Xml.SubElement(properties, "property", name=name, value=printable(str(value)))
    for each in own:
        test = Xml.SubElement(
            suite, "testcase", classname=f"contentgen.{part}", name=each.name.partition(".")[2], time="0"
        )
        if each.fell:
            failure = Xml.SubElement(test, "failure", message=printable(each.why), type="fell")
            failure.text = "\n".join([FIGURES[each.name], *_cases(each)])
        elif each.now is not None:
            output = Xml.SubElement(test, "system-out")
            output.text = f"{FIGURES[each.name]}: {each.now.value:.3f}"
    return suite


def _cases(each: Compared) -> list[str]:
    shown = [f"- {truncate(printable(outcome.failed), LONGEST_CASE)}" for outcome in each.failed[:MAX_CASES]]
    more = len(each.failed) - len(shown)
    return [*shown, f"and {more} more"] if more else shown
