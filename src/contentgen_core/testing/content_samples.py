"""Sample sources in English and French: document title → (heading, text) of its passages."""

from __future__ import annotations

from typing import Final

from contentgen_core.model.vocabulary import Language

SAMPLES: Final[dict[Language, dict[str, tuple[tuple[str, str], ...]]]] = {
    Language.EN: {
        "Heat pump basics": (
            (
                "How a heat pump works",
                "A heat pump is a machine that moves heat from a cooler place to a warmer place. The compressor "
                "needs electricity, while most of the heat comes from outdoor air or ground. Modern heat pumps "
                "deliver about three units of heat for each unit of electricity. Cold weather lowers the efficiency"
                " of every air source model.",
            ),
            (
                "Noise and location",
                "The outdoor unit of a heat pump should stand away from bedroom windows. Rubber feet reduce the "
                "vibration that reaches the wall of the house. Local rules limit the noise at the neighbour's "
                "border.",
            ),
            (
                "Flow temperature",
                "A low flow temperature makes a heat pump more efficient. Large radiators give enough heat with "
                "water at 45 degrees. Underfloor heating works well with even cooler water.",
            ),
        ),
        "Old houses and insulation": (
            (
                "Assessing an old house",
                "An old house should be assessed room by room before a heat pump is chosen. Solid walls and single "
                "glazing raise the heat loss of many old houses. The heat loss of the house decides the size of the"
                " heat pump. Age alone does not make a house unsuitable.",
            ),
            (
                "Insulation first",
                "Loft insulation is usually the cheapest way to lower the heat loss of a house. Draught sealing "
                "costs little and improves comfort at once. Good insulation allows a smaller and cheaper heat pump.",
            ),
            (
                "Moisture in solid walls",
                "Solid masonry walls absorb rain and dry again in warm weather. Dense coatings can trap water "
                "inside an old wall. Breathable materials often suit traditional houses better.",
            ),
        ),
        "Buying a heat pump": (
            (
                "Comparing quotes",
                "A useful quote for a heat pump states the heat loss and the flow temperature. Every radiator that "
                "must be replaced belongs on the quote. Quotes without these figures cannot be compared.",
            ),
            (
                "Running costs",
                "The running cost of a heat pump depends on its seasonal efficiency and on the electricity price. A"
                " time-of-use tariff can lower the bill of a well insulated house. Winter months cause most of the "
                "yearly cost.",
            ),
            (
                "How often should a heat pump be inspected?",
                "A heat pump should be inspected once a year by a trained technician. Leaves and dirt must be kept "
                "away from the outdoor unit. Filters in the heating circuit need cleaning after the first winter.",
            ),
        ),
    },
    Language.FR: {
        "Les bases de la pompe à chaleur": (
            (
                "Fonctionnement d'une pompe à chaleur",
                "Une pompe à chaleur est une machine qui transporte la chaleur d'un lieu froid vers un lieu plus "
                "chaud. Le compresseur consomme de l'électricité, mais l'essentiel de la chaleur vient de l'air ou "
                "du sol. Les modèles récents fournissent environ trois unités de chaleur pour une unité "
                "d'électricité.",
            ),
            (
                "Bruit et emplacement",
                "L'unité extérieure d'une pompe à chaleur doit rester loin des fenêtres des chambres. Des plots en "
                "caoutchouc réduisent les vibrations transmises au mur de la maison. Les règles locales limitent le"
                " bruit chez les voisins.",
            ),
            (
                "Température de départ",
                "Une température de départ basse rend la pompe à chaleur plus efficace. De grands radiateurs "
                "suffisent avec une eau à 45 degrés. Le plancher chauffant fonctionne avec une eau encore plus "
                "froide.",
            ),
        ),
        "Maisons anciennes et isolation": (
            (
                "Évaluer une maison ancienne",
                "Une maison ancienne doit être étudiée pièce par pièce avant le choix d'une pompe à chaleur. Les "
                "murs pleins et le simple vitrage augmentent les pertes de chaleur. Les pertes de chaleur de la "
                "maison déterminent la puissance de la pompe à chaleur.",
            ),
            (
                "Isoler d'abord",
                "L'isolation des combles est souvent le moyen le moins cher de réduire les pertes de chaleur. Le "
                "calfeutrage coûte peu et améliore aussitôt le confort. Une bonne isolation permet une pompe à "
                "chaleur plus petite et moins chère.",
            ),
            (
                "Humidité des murs pleins",
                "Les murs en pierre absorbent la pluie et sèchent pendant la belle saison. Des enduits étanches "
                "peuvent retenir l'eau dans un mur ancien. Des matériaux perméables conviennent mieux aux maisons "
                "traditionnelles.",
            ),
        ),
        "Acheter une pompe à chaleur": (
            (
                "Comparer les devis",
                "Un devis utile pour une pompe à chaleur indique les pertes de chaleur et la température de départ."
                " Chaque radiateur à remplacer figure sur le devis. Des devis sans ces chiffres ne se comparent "
                "pas.",
            ),
            (
                "Coût d'usage",
                "Le coût d'usage d'une pompe à chaleur dépend de son rendement saisonnier et du prix de "
                "l'électricité. Une offre à heures creuses peut réduire la facture d'une maison bien isolée. Les "
                "mois d'hiver causent l'essentiel du coût annuel.",
            ),
            (
                "Quand faut-il entretenir une pompe à chaleur ?",
                "Une pompe à chaleur doit être contrôlée chaque année par un technicien formé. Les feuilles et la "
                "terre doivent rester loin de l'unité extérieure. Les filtres du circuit se nettoient après le "
                "premier hiver.",
            ),
        ),
    },
}
