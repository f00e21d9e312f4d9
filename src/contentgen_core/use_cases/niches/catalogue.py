"""The preconfigured niches, which always exist."""

from __future__ import annotations

from typing import Final

from contentgen_core.errors import AlreadyExists
from contentgen_core.model.ids import NicheId
from contentgen_core.model.niche import Niche
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

PRECONFIGURED: Final[tuple[tuple[str, str, str, str, tuple[str, ...]], ...]] = (
    ("artificial-intelligence", "Artificial intelligence", "Models, tools, practice and regulation of AI.", "🤖",
     ("artificial intelligence", "machine learning", "language models")),
    ("cybersecurite-pme", "Cybersécurité des PME", "Protéger une petite entreprise : menaces, gestes.", "🔐",
     ("hameçonnage", "rançongiciel", "sauvegarde", "mot de passe", "RGPD")),
    ("digital-marketing", "Digital marketing", "Search, content, e-mail and paid channels, measured.", "📣",
     ("search engine optimisation", "content marketing", "e-mail campaigns")),
    ("ecommerce", "E-commerce", "Selling online: shops, payments, logistics, conversion.", "🛒",
     ("online shop", "checkout", "logistics")),
    ("health-wellness", "Health and wellness", "Prevention, nutrition, sleep and movement for everyday life.", "🩺",
     ("nutrition", "sleep", "physical activity")),
    ("home-energy", "Home energy", "Heating, insulation, solar power and electric mobility at home.", "🏡",
     ("heat pump", "insulation", "solar panels", "ventilation", "electric vehicle")),
    ("human-resources", "Human resources", "Hiring, onboarding, pay, law and life at work.", "👥",
     ("recruitment", "onboarding", "remote work")),
    ("personal-finance", "Personal finance", "Budgets, saving, loans, insurance and pensions.", "💶",
     ("budget", "savings", "mortgage", "pension")),
    ("software-development", "Software development", "Languages, architecture, testing and operations.", "💻",
     ("programming", "architecture", "testing", "deployment")),
    ("sustainable-travel", "Sustainable travel", "Travelling well with a small footprint.", "🚆",
     ("rail travel", "ecotourism", "carbon footprint")),
)  # fmt: skip


@use_case
class EnsureCatalogue:
    unit_of_work: UnitOfWork
    clock: Clock
    ids: Ids

    async def __call__(self) -> int:
        """Add the preconfigured niches that are missing; returns how many. Safe in concurrent processes."""
        added = 0
        for key, name, description, icon, keywords in PRECONFIGURED:
            niche = Niche(
                NicheId(self.ids.new()), key, name, self.clock.now(),
                description=description, icon=icon, keywords=keywords,
            )  # fmt: skip
            try:
                async with self.unit_of_work() as tx:
                    if await tx[Niches].find_preconfigured(key) is None:
                        await tx[Niches].add(niche)
                        added += 1
            except AlreadyExists:
                continue
        return added
