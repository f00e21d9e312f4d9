"""Abbreviations whose full stop does not end a sentence, even before a capital or a digit."""

from __future__ import annotations

from functools import cache
from typing import Final

from contentgen_core.model.vocabulary import Language

# Used before a name or within a phrase. Those that often end a sentence (etc., usw., u.a.) are not listed: before a
# lower-case letter no sentence ends anyway.
_EVERYWHERE: Final = "dr prof mr mrs ms st jr sr cf vs e.g i.e viz"
_BEFORE_WORDS: Final[dict[Language, str]] = {
    Language.FR: "m mm mme mmes mlle mlles me mgr pr ste av env p.ex ex réf tél c.-à-d",
    Language.EN: "messrs mx hon rev gen col capt lt sgt maj gov sen rep pres mt ft approx dept est fig",
    Language.ES: "sr sra srta sres d dña dra dres prof profa lic ing ud uds vd av avda p.ej ej aprox tel admón",
    Language.DE: "hr fr frl ing dipl dipl.-ing hrsg z.b d.h u.a i.d.r s.o s.u bzw ca evtl ggf inkl exkl vgl sog bspw "
    "geb gest lt max min mind nr st str tel zzgl o.ä m.e z.t u.u v.a",
    Language.IT: "sig sigg sig.ra sig.na dott dott.ssa avv ing arch geom rag on egr spett p.es es ecc.mo ca tel s v.le",
    Language.PT: "sr sra srs srta dra prof profa exmo exma eng av r p.ex ex aprox tel d",
    Language.NL: "dhr mevr mw drs ing ir mr prof bijv bv d.w.z o.a m.b.t ca evt incl excl m.n z.g zgn t.o.v i.v.m",
    Language.PL: "p prof dr hab inż mgr lek ul al np tzn tzw m.in ok im św por ks gen płk red os pl",
    Language.SV: "t.ex bl.a d.v.s dvs fr.o.m t.o.m s.k ca resp inkl exkl prof f.d",
    Language.NO: "f.eks bl.a dvs d.v.s ca inkl ekskl prof hr fr pga mht ift",
    Language.DA: "f.eks bl.a dvs d.v.s ca inkl ekskl prof hr fr pga mht ift",
    Language.FI: "esim ns ks mm n prof tri toht yht vrt t.s.s",
    Language.CS: "p pí sl mudr ing mgr bc judr phdr rndr doc prof např tzv tj tzn cca ul nám sv gen plk",
    Language.HU: "id ifj özv dr prof pl ún kb ill szt gr u vö",
    Language.RO: "dl d-l dna d-na dra d-ra dvs ing prof str bd ex de.ex cca sf conf acad",
    Language.EL: "κ κα κος κ.κ δρ καθ π.χ δηλ βλ κεφ λεωφ οδ τηλ στρ",
    Language.TR: "dr prof doç yrd av sn alb gen örn bkz vb.gi cad sok mah hz",
    Language.UK: "п пп пан гр проф акад доц ім вул просп м см напр т.зв т.є ред св",
    Language.RU: "г гг гр проф акад доц им ул пр просп см напр т.е т.н т.к ред св тов стр",
    Language.ID: "bpk sdr sdri drs ir prof jl jln dll.nya a.n u.p yth tgl",
    Language.VI: "ts pgs gs ths tp tt bs ks",
    Language.HI: "डॉ श्री प्रो पं सुश्री",
    Language.AR: "د أ م",
    Language.HE: "ד״ר פרופ",
}
# Only before a number.
_BEFORE_FIGURES: Final = (
    "p pp s ss art arts fig figs no nos nr núm num n n° vol vols ch chap cap sec par abs abb tab kap bd bl pág págs "
    "pag pagg poz rozdz čl obr str odst sz o old cikk lk kuv nro sid fol madde md эл ст стр рис табл гл п пп с см рік "
    "від мал розд σ σελ αρ εικ κεφ άρθ v vv hal ps tel circa ca approx env cca ok kl aug sept oct nov dec jan feb déc "
    "janv févr"
)
_AFTER_FIGURES: Final = (
    "mio mrd bio tsd mill mln mld mlrd milj mdr mkr mia tys tis mil млн млрд трлн тыс тис εκατ δισ χιλ"
)
ORDINAL_POINT: Final = frozenset(
    Language(code) for code in ("de", "da", "no", "fi", "cs", "hu", "pl", "tr", "sv", "ro")
)  # „am 3. Mai“, „2. Weltkrieg“


@cache
def before_words(language: Language) -> frozenset[str]:
    """Abbreviations before words in a language; case folded, without the last full stop."""
    return frozenset(f"{_EVERYWHERE} {_BEFORE_WORDS.get(language, '')}".casefold().split())


@cache
def after_figures() -> frozenset[str]:
    """Abbreviations of large numbers in any language; case folded, without the last full stop."""
    return frozenset(_AFTER_FIGURES.casefold().split())


@cache
def before_figures() -> frozenset[str]:
    """Abbreviations before numbers in any language; case folded, without the last full stop."""
    return frozenset(_BEFORE_FIGURES.casefold().split())
