"""Planted data sheets of competing products: each names its competitors, and lacks some facts that the others state."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText

FORMS: Final = ("prose", "headings", "table", "list")
BY_HAND: Final = Path(__file__).with_name("data_sheets.toml")
LEFT_OUT: Final = 2
"""Properties that a product's sheet lacks."""


@frozen
class Wording:
    """The sentences of one language.

    `kind`: the kind of product, beside its name in a title. `topic`: asks for an article. `opening`, `rivals`,
    `beside`: sentences of a sheet that name its product, name its competitors, and compare it with one of them.
    `properties`: for each its name, a sentence that does not name the product, and one that does (`{name}`), with `{v}`
    for the value.
    """

    kind: str
    topic: str
    opening: str
    rivals: str
    beside: str
    properties: tuple[tuple[str, str, str], ...]


@frozen
class Sheet:
    """A product's sheet. `values`: the figures that it alone states, by the number of the property."""

    name: str
    language: Language
    title: str
    text: str
    values: dict[int, str]


WORDINGS: Final = {
    Language.EN: Wording(
        "heat pump",
        "{name}: warranty, price and noise",
        "The {name} is a heat pump for houses with radiators and floor heating.",
        "Its main competitors on the market are the {a} and the {b}.",
        "Unlike the {a}, the unit reaches a flow temperature of {v} degrees without a heating rod.",
        (
            (
                "Warranty",
                "The warranty covers the compressor for {v} months after commissioning.",
                "The {name} comes with a warranty of {v} months.",
            ),
            (
                "Price",
                "The list price is {v} euros without installation and accessories.",
                "The {name} costs {v} euros without installation.",
            ),
            (
                "Noise",
                "At night the unit reaches a sound level of {v} decibels at three metres.",
                "The {name} is heard at {v} decibels at night.",
            ),
            (
                "Weight",
                "The outdoor unit weighs {v} kilograms and needs a solid base.",
                "The {name} weighs {v} kilograms.",
            ),
            (
                "Output",
                "The heat output reaches {v} watts at an outdoor temperature of seven degrees.",
                "The {name} delivers {v} watts of heat.",
            ),
            (
                "Delivery",
                "Delivery takes {v} days from the day of the order.",
                "The {name} is delivered within {v} days.",
            ),
        ),
    ),
    Language.FR: Wording(
        "pompe à chaleur",
        "{name} : garantie, prix et bruit",
        "La {name} est une pompe à chaleur pour les maisons avec radiateurs ou plancher chauffant.",
        "Ses principales concurrentes sur le marché sont la {a} et la {b}.",
        "Contrairement à la {a}, l'appareil atteint une température de départ de {v} degrés sans résistance d'appoint.",
        (
            (
                "Garantie",
                "La garantie couvre le compresseur pendant {v} mois après la mise en service.",
                "La {name} est garantie {v} mois.",
            ),
            (
                "Prix",
                "Le prix catalogue est de {v} euros sans la pose ni les accessoires.",
                "La {name} coûte {v} euros sans la pose.",
            ),
            (
                "Bruit",
                "La nuit, l'appareil atteint un niveau sonore de {v} décibels à trois mètres.",
                "La {name} s'entend à {v} décibels la nuit.",
            ),
            (
                "Poids",
                "L'unité extérieure pèse {v} kilogrammes et demande un socle solide.",
                "La {name} pèse {v} kilogrammes.",
            ),
            (
                "Puissance",
                "La puissance de chauffage atteint {v} watts par une température extérieure de sept degrés.",
                "La {name} fournit {v} watts de chaleur.",
            ),
            (
                "Livraison",
                "La livraison prend {v} jours à partir de la commande.",
                "La {name} est livrée en {v} jours.",
            ),
        ),
    ),
    Language.DE: Wording(
        "Wärmepumpe",
        "{name}: Garantie, Preis und Lautstärke",
        "Die {name} ist eine Wärmepumpe für Häuser mit Heizkörpern oder Fußbodenheizung.",
        "Ihre wichtigsten Mitbewerber auf dem Markt sind die {a} und die {b}.",
        "Anders als die {a} erreicht das Gerät eine Vorlauftemperatur von {v} Grad ohne Heizstab.",
        (
            (
                "Garantie",
                "Die Garantie gilt für den Verdichter {v} Monate ab der Inbetriebnahme.",
                "Die {name} hat eine Garantie von {v} Monaten.",
            ),
            (
                "Preis",
                "Der Listenpreis beträgt {v} Euro ohne Montage und Zubehör.",
                "Die {name} kostet {v} Euro ohne Montage.",
            ),
            (
                "Lautstärke",
                "In der Nacht erreicht das Gerät einen Schallpegel von {v} Dezibel in drei Metern Abstand.",
                "Die {name} ist nachts mit {v} Dezibel zu hören.",
            ),
            (
                "Gewicht",
                "Das Außengerät wiegt {v} Kilogramm und braucht einen festen Sockel.",
                "Die {name} wiegt {v} Kilogramm.",
            ),
            (
                "Leistung",
                "Die Heizleistung erreicht {v} Watt bei einer Außentemperatur von sieben Grad.",
                "Die {name} liefert {v} Watt Wärme.",
            ),
            (
                "Lieferung",
                "Die Lieferung dauert {v} Tage ab dem Tag der Bestellung.",
                "Die {name} wird in {v} Tagen geliefert.",
            ),
        ),
    ),
    Language.ES: Wording(
        "bomba de calor",
        "{name}: garantía, precio y ruido",
        "La {name} es una bomba de calor para casas con radiadores o suelo radiante.",
        "Sus principales competidoras en el mercado son la {a} y la {b}.",
        "A diferencia de la {a}, el aparato alcanza una temperatura de impulsión de {v} grados sin resistencia.",
        (
            (
                "Garantía",
                "La garantía cubre el compresor durante {v} meses desde la puesta en marcha.",
                "La {name} tiene una garantía de {v} meses.",
            ),
            (
                "Precio",
                "Cuesta {v} euros según la lista, sin instalación ni accesorios.",
                "La {name} cuesta {v} euros sin instalación.",
            ),
            (
                "Ruido",
                "De noche el aparato alcanza un nivel sonoro de {v} decibelios a tres metros.",
                "La {name} se oye a {v} decibelios de noche.",
            ),
            (
                "Peso",
                "La unidad exterior pesa {v} kilogramos y necesita una base sólida.",
                "La {name} pesa {v} kilogramos.",
            ),
            (
                "Potencia",
                "La potencia de calefacción alcanza {v} vatios con siete grados en el exterior.",
                "La {name} entrega {v} vatios de calor.",
            ),
            ("Entrega", "La entrega tarda {v} días desde el día del pedido.", "La {name} se entrega en {v} días."),
        ),
    ),
    Language.IT: Wording(
        "pompa di calore",
        "{name}: garanzia, prezzo e rumore",
        "La {name} è una pompa di calore per case con radiatori o riscaldamento a pavimento.",
        "Le sue principali concorrenti sul mercato sono la {a} e la {b}.",
        "A differenza della {a}, l'apparecchio raggiunge una temperatura di mandata di {v} gradi senza resistenza.",
        (
            (
                "Garanzia",
                "La garanzia copre il compressore per {v} mesi dalla messa in funzione.",
                "La {name} ha una garanzia di {v} mesi.",
            ),
            (
                "Prezzo",
                "Costa {v} euro di listino, senza posa e senza accessori.",
                "La {name} costa {v} euro senza posa.",
            ),
            (
                "Rumore",
                "Di notte l'apparecchio raggiunge un livello sonoro di {v} decibel a tre metri.",
                "La {name} si sente a {v} decibel di notte.",
            ),
            (
                "Peso",
                "L'unità esterna pesa {v} chilogrammi e richiede una base solida.",
                "La {name} pesa {v} chilogrammi.",
            ),
            (
                "Potenza",
                "La potenza termica raggiunge {v} watt con sette gradi all'esterno.",
                "La {name} fornisce {v} watt di calore.",
            ),
            (
                "Consegna",
                "La consegna richiede {v} giorni dal giorno dell'ordine.",
                "La {name} viene consegnata in {v} giorni.",
            ),
        ),
    ),
    Language.PT: Wording(
        "bomba de calor",
        "{name}: garantia, preço e ruído",
        "A {name} é uma bomba de calor para casas com radiadores ou piso radiante.",
        "As suas principais concorrentes no mercado são a {a} e a {b}.",
        "Ao contrário da {a}, o aparelho atinge uma temperatura de ida de {v} graus sem resistência.",
        (
            (
                "Garantia",
                "A garantia cobre o compressor durante {v} meses após a colocação em serviço.",
                "A {name} tem uma garantia de {v} meses.",
            ),
            (
                "Preço",
                "O preço de tabela é de {v} euros sem instalação e acessórios.",
                "A {name} custa {v} euros sem instalação.",
            ),
            (
                "Ruído",
                "À noite o aparelho atinge um nível sonoro de {v} decibéis a três metros.",
                "A {name} ouve-se a {v} decibéis à noite.",
            ),
            (
                "Peso",
                "A unidade exterior pesa {v} quilogramas e precisa de uma base sólida.",
                "A {name} pesa {v} quilogramas.",
            ),
            (
                "Potência",
                "A potência de aquecimento atinge {v} watts com sete graus no exterior.",
                "A {name} fornece {v} watts de calor.",
            ),
            ("Entrega", "A entrega demora {v} dias a partir do dia da encomenda.", "A {name} é entregue em {v} dias."),
        ),
    ),
}
FITTED: Final = (Language.EN, Language.FR, Language.DE)
"""Languages that the rules were written with; the others were kept aside."""
NAMES: Final = (
    ("Borea 7", "Kestrel K2", "Nordal X9"),
    ("Velora", "Thermion", "Calidris"),
    ("Aero Lynx", "Aero Mistral", "Aero Puma"),
    ("Vento 40", "Vento 60", "Vento 80"),
)
"""Products with codes, with invented names, with a brand in common, of one series."""


def sheets(language: Language, names: tuple[str, ...], form: str, *, bare: bool) -> list[Sheet]:
    """Return one sheet of each product. `bare`: whether the title is the name alone."""
    wording = WORDINGS[language]
    count = len(wording.properties)
    found = []
    for i, name in enumerate(names):
        left_out = {(LEFT_OUT * i + k) % count for k in range(LEFT_OUT)}
        values = {p: str(311 + 97 * i + 13 * p) for p in range(count) if p not in left_out}
        a, b = (other for other in names if other != name)
        intro = [wording.opening.format(name=name), wording.rivals.format(a=a, b=b)]
        beside = wording.beside.format(a=a, v=str(41 + 7 * i))
        stated = [(wording.properties[p], value) for p, value in values.items()]
        title = name if bare else f"{name} – {wording.kind}"
        text = "\n\n".join([f"# {title}", *_parts(form, intro, beside, stated)])
        found.append(Sheet(name, language, title, text, values))
    return found


def _parts(form: str, intro: list[str], beside: str, stated: list[tuple[tuple[str, str, str], str]]) -> Iterator[str]:
    said = [sentence.format(v=value) for (_, sentence, _), value in stated]
    match form:
        case "prose":
            yield " ".join([*intro, *said[:2]])
            yield " ".join([beside, *said[2:]])
        case "headings":
            yield " ".join(intro)
            for (heading, sentence, _), value in stated:
                yield f"## {heading}"
                yield f"{sentence.format(v=value)} {beside}"
        case "table":
            yield " ".join([*intro, beside])
            yield "\n".join(f"| {heading} | {value} |" for (heading, _, _), value in stated)
            yield " ".join(said[:1])
        case "list":
            yield " ".join([*intro, beside])
            yield "\n".join(f"- {sentence}" for sentence in said)


def written_by_hand() -> list[tuple[str, list[Sheet]]]:
    """Groups of sheets on many kinds of things, each with its topic (`{name}` for the thing asked for)."""
    groups = tomllib.loads(BY_HAND.read_text("utf-8"))["group"]
    return [
        (
            group["topic"],
            [
                Sheet(
                    one["name"], Language(group["language"]), one["title"], one["text"], dict(enumerate(one["facts"]))
                )
                for one in group["sheet"]
            ],
        )
        for group in groups
    ]


def source(sheet: Sheet) -> SourceText:
    return SourceText(sheet.name, sheet.title, sheet.text, None, sheet.language)
