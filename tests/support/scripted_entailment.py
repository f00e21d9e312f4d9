"""An entailment model that does what a test tells it, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contentgen_core.ports.entailment import Judgement, Pair, require_bounded

ENTAILS = Judgement(0.9, 0.08, 0.02)
SILENT = Judgement(0.04, 0.92, 0.04)
DENIES = Judgement(0.02, 0.08, 0.9)


class ScriptedEntailment:
    """Answers by the hypothesis, with `otherwise` for those not told; `failures` come first."""

    model = "scripted-nli"

    def __init__(
        self,
        answers: Mapping[str, Judgement] | None = None,
        *failures: Exception,
        otherwise: Judgement = SILENT,
    ) -> None:
        self.answers, self.otherwise, self.failures = dict(answers or {}), otherwise, list(failures)
        self.calls: list[list[Pair]] = []

    @property
    def asked(self) -> set[str]:
        return {pair.hypothesis for call in self.calls for pair in call}

    async def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        require_bounded(pairs)
        self.calls.append(list(pairs))
        if self.failures:
            raise self.failures.pop(0)
        return [self.answers.get(pair.hypothesis, self.otherwise) for pair in pairs]
