"""The words that facts are made of, as data: units, scales, small numbers, months."""

from __future__ import annotations

from typing import Final

from contentgen_core.model.vocabulary import Language


def _table(rows: str) -> dict[str, str]:
    """Forms by word, from lines `canonical: form form …`. Letters of units keep their case (mW is not MW), words are
    lower case."""
    pairs = (line.split(":") for line in rows.strip().splitlines())
    return {form: canonical.strip() for canonical, forms in pairs for form in (*forms.split(), canonical.strip())}


UNITS: Final = _table("""
%: ％ percent prozent procent procento pct pour-cent
‰: promille
€: euro euros eur EUR
$: dollar dollars usd USD
£: pound pounds gbp GBP
¥: yen JPY 円
CNY: yuan 元
KRW: won 원
°C: celsius
°F: fahrenheit
Wh: Wh
kWh: kwh
MWh: MWh
GWh: GWh
TWh: TWh
W: watt watts
kW: kw kilowatt kilowatts
MW: megawatt megawatts
GW: gigawatt gigawatts
V: volt volts
A: ampere amperes
Hz: hertz
mm: millimetre millimetres millimeter millimeters
cm: centimetre centimetres centimeter centimeters
m: metre metres meter meters mètre mètres metros
km: kilometre kilometres kilometer kilometers kilomètres kilómetros
m²: m2
m³: m3
mg: milligram milligrams
g: gram grams gramme grammes
kg: kilogram kilograms kilo kilos
t: tonne tonnes ton tons tonnen toneladas
ml: mL
l: L litre litres liter liters litros
s: second seconds seconde secondes sekunde sekunden segundos
ms: millisecond milliseconds
min: minute minutes minuten minutos minuti
h: 时 時 시 hour hours heure heures stunde stunden hora horas ore uur
day: 日 天 일 days jour jours tag tage tagen día días giorno giorni dia dias dag dagen
week: weeks semaine semaines woche wochen semana semanas settimana settimane weken
month: 月 월 months mois monat monate monaten mes meses mese mesi maand maanden
year: 年 년 years an ans année années jahr jahre jahren año años anno anni ano anos jaar
KB: kB
MB: Mo
GB: Go
TB: To
ppm: ppm
dB: db
bar: bars
thousand: mille mila mil tausend duizend
ten thousand: 万 萬 만
million: millions millionen mio millones millón milioni milione milhões milhão miljoen
hundred million: 亿 億 억
short billion: bn
milliard: milliards milliarden mrd miliardi miliardo miljard
long billion: billionen billones billón
short trillion: trillion trillions
""")

SCALES: Final = {
    "thousand": 3,
    "ten thousand": 4,
    "million": 6,
    "hundred million": 8,
    "short billion": 9,
    "milliard": 9,
    "long billion": 12,
    "short trillion": 12,
}


def _numbers(words: str) -> dict[str, int]:
    """The numbers from two on by their words, which are in order; `a/b` are two forms of one."""
    return {form: value for value, forms in enumerate(words.split(), start=2) for form in forms.split("/")}


NUMBER_WORDS: Final[dict[Language, dict[str, int]]] = {
    Language.EN: _numbers("two three four five six seven eight nine ten eleven twelve"),
    Language.FR: _numbers("deux trois quatre cinq six sept huit neuf dix onze douze"),
    Language.DE: _numbers("zwei/zweien drei/dreien vier fünf sechs sieben acht neun zehn elf zwölf"),
    Language.ES: _numbers("dos tres cuatro cinco seis siete ocho nueve diez once doce"),
    Language.IT: _numbers("due tre quattro cinque sei sette otto nove dieci undici dodici"),
    Language.PT: _numbers("dois/duas três quatro cinco seis sete oito nove dez onze doze"),
    Language.NL: _numbers("twee drie vier vijf zes zeven acht negen tien elf twaalf"),
}


def _months(words: str) -> dict[str, int]:
    return {form: number for number, forms in enumerate(words.split(), start=1) for form in forms.split("/")}


MONTHS: Final[dict[Language, dict[str, int]]] = {
    Language.EN: _months(
        "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept "
        "october/oct november/nov december/dec"
    ),
    Language.FR: _months(
        "janvier/janv février/févr mars avril/avr mai juin juillet/juil août septembre/sept octobre/oct novembre/nov "
        "décembre/déc"
    ),
    Language.DE: _months(
        "januar/jänner/jan februar/feb märz april/apr mai juni juli august/aug september/sept oktober/okt november/nov "
        "dezember/dez"
    ),
    Language.ES: _months(
        "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre"
    ),
    Language.IT: _months(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
    ),
    Language.PT: _months("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
    Language.NL: _months("januari februari maart april mei juni juli augustus september oktober november december"),
}
