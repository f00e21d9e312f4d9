"""Evaluation: what search, coverage and the grounding check make of a knowledge base."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.services.shared import Shared
from contentgen_core.use_cases.evaluation.measure import MeasureCoverage, MeasureGrounding, MeasureRetrieval
from contentgen_core.use_cases.evaluation.sample import SampleKnowledge


@frozen(kw_only=True)
class Evaluation:
    """Use cases that measure. They store nothing."""

    sample: SampleKnowledge
    coverage: MeasureCoverage
    retrieval: MeasureRetrieval
    grounding: MeasureGrounding

    @classmethod
    def compose(cls, shared: Shared) -> Evaluation:
        p = shared.ports
        return cls(
            sample=SampleKnowledge(p.unit_of_work),
            coverage=MeasureCoverage(shared.retrieve),
            retrieval=MeasureRetrieval(shared.retrieve),
            grounding=MeasureGrounding(p.analysis, p.entailment, shared.meaning),
        )
