"""Words that turn a statement round, as data: negations, and groups of words with a contrary side.

Entries of four letters and more are beginnings of words, shorter ones whole words. What begins with both sides of a
group, or with words of several groups, belongs to the longest entry. Words under `none` have no direction although they
begin like one that has ("surgery" like "surge").
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from contentgen_core.model.vocabulary import Language


@frozen
class Contrary:
    """The group of a word, and on which of its two sides (1 or -1) the word stands."""

    group: str
    side: int


@frozen
class Lexicon:
    negations: frozenset[str]
    clauses: frozenset[str]
    entries: dict[str, tuple[Contrary, ...]]
    longest: int

    def contraries(self, word: str) -> tuple[Contrary, ...]:
        """What the word (in lower case) says of direction; () for most words."""
        found = self.entries.get(word)
        if found is not None:
            return found
        for length in range(min(len(word) - 1, self.longest), 3, -1):
            found = self.entries.get(word[:length])
            if found is not None:
                return found
        return ()

    def negates(self, word: str) -> bool:
        return word in self.negations or word.endswith("n't")


def _lexicon(negations: str, clauses: str, groups: str) -> Lexicon:
    """`groups`: a line is `group: words of one side | words of the other`, or `none: words`."""
    entries: dict[str, tuple[Contrary, ...]] = {}
    for line in groups.strip().splitlines():
        group, _, sides = line.partition(":")
        if group.strip() == "none":
            entries |= dict.fromkeys(sides.split(), ())
            continue
        for side, words in zip((1, -1), sides.split("|"), strict=True):
            for word in words.split():
                entries[word] = (*entries.get(word, ()), Contrary(group.strip(), side))
    return Lexicon(frozenset(negations.split()), frozenset(clauses.split()), entries, max(map(len, entries)))


LEXICONS: Final[dict[Language, Lexicon]] = {
    Language.EN: _lexicon(
        "no not never neither nor none cannot unable unlikely little hardly fail fails failed failing without "
        "insufficient nonsignificant incapable lack lacks lacked lacking absence "
        "deficiency deficiencies deficient knockout knockouts null depletion ablation deletion silencing knockdown",
        "but whereas while although",
        """
        amount: increas rise rises rising rose grow grew growth gain elevat raise rais upregul accumul expan surge augment boost heighten amplif | decreas reduc declin fall falls fell drop drops dropped diminish downregul deplet attenuat lower lowers lowered loss lost shrink mitigat minimi lessen
        level: high higher highest more greater larger most frequent common strong stronger elevated excess abundant major | low lower lowest less fewer smaller rare rarely weak weaker infrequent minimal
        worth: improv better benefi ameliorat alleviat rescu restor effectiv efficac succe superior protect favor favour useful recover | worsen worse exacerbat impair harm poor poorer ineffectiv detriment aggravat deteriorat inferior damag dysfunction adverse
        effect: promot activat induc stimulat enhanc facilitat trigger driv drive drives caus encourag accelerat faster produc lead leads leading allow enabl potentiat reinvigorat initiat speed support | inhibit suppress block prevent inactivat deactivat repress abrogat abolish disrupt slow slows slowed delay antagoni silenc restrict limit hinder hamper halt counteract interfer eliminat imped
        relation: associat correlat relat link linked links predict interact connect involv depend influenc affect regulat contribut role effect effects impact alter alters altered alterat chang mediat modulat determin controls driver coupl mechanism | unrelat independent unaffect unassociat
        need: necessar requir essential need needed needs critical crucial indispensab | dispensab unnecessar redundan
        sensitivity: sensitiv suscept vulnerab hypersensitiv prone | resistan resist immun toleran insensitiv protected
        time: long longer prolong extend late later older | short shorter early earlier younger
        sign: positiv direct | negativ invers
        similar: similar same equal equivalent comparabl identical alike | differ distinct unequal dissimilar
        measure: overestimat overexpress excess | underestimat underexpress
        presence: presen express contain | absen deficien knockout null delet knockdown deplet ablat
        firmness: stabil stable mature | destabil unstable instabil immature
        none: surgery surgeries surgical surgeon moreover highlight longitudinal lateral latent lesson needle droplet majority successive succession product products harmon
        """,  # noqa: E501
    ),
    Language.FR: _lexicon(
        "non ne n pas jamais aucun aucune sans ni nul nulle guère absence insuffisant insuffisante",
        "mais tandis alors bien",
        """
        amount: augment hausse croît croiss élev élèv accroît accroiss gagn | dimin baiss rédui réduct recul chut abaiss décroît décroiss perte perd
        level: plus supérieur élevé fréquent fort forte forts fortes majeur excès | moins inférieur faible rare rarement minime
        worth: amélior meilleur mieux efficac bénéfi utile favorabl protèg protég protect réussi avantag | dégrad détérior empir pire nuis inefficac inutile dommag défavorabl échou échec risqu danger
        effect: favoris activ stimul facilit provoqu caus déclench entraîn accélér renforc permet produi encourag | empêch inhib bloqu ralenti prév évit limit supprim freine affaibl interdi désactiv restrei
        relation: associé corrél relié dépend influenc contribu | indépendan
        need: nécessai indispensab essentiel obligatoir exig | superflu inutile facultati
        time: long longue longs longues prolong allong tard | court courte courts courtes raccourc tôt
        sign: positi | négati invers
        presence: présent présence contient contenir | absen dépourvu
        firmness: stable stabil | instab
        """,  # noqa: E501
    ),
    Language.DE: _lexicon(
        "nicht kein keine keinen keinem keiner keines nie niemals ohne weder kaum",
        "aber sondern während obwohl",
        """
        amount: steig stieg erhöh wachs wuchs zunehm zunahme nimmt | sink sank senk fall fiel abnehm abnahme reduzier verringer rückgang
        level: mehr höher hoch hohe größer stark häufig | weniger niedrig geringer gering klein kleiner schwach selten
        worth: verbesser besser wirksam nützlich hilf erfolg vorteil | verschlechter schlecht unwirksam schad schäd nachteil
        effect: förder aktivier verursach beschleunig verstärk ermöglich erlaub bewirk | verhinder hemm blockier verlangsam verbiet vermeid begrenz schwäch
        need: notwendig nötig erforderlich | unnötig überflüssig entbehrlich
        time: lang länger lange verlänger spät | kurz kürzer verkürz früh
        sign: positiv | negativ
        presence: vorhanden enthält enthalt | fehl abwesen
        """,  # noqa: E501
    ),
    Language.ES: _lexicon(
        "no nunca jamás sin ningún ninguna ninguno ni tampoco apenas",
        "pero sino mientras aunque",
        """
        amount: aument crec sube suben subió incrementa elev | dismin reduc baja bajan bajó descen
        level: más mayor alto alta fuerte frecuent | menos menor bajo débil escas raro
        worth: mejor efica efecti útil benefic protege | empeor peor inefica inútil dañ perjud
        effect: favorec activ provoc acelera aceler causa permit facilit estimul | impid impedi inhib bloque desaceler evita preven limit prohib
        need: necesari imprescindib indispensab | innecesari superflu
        time: largo larga prolong tarde | corto corta temprano
        sign: positiv | negativ
        """,  # noqa: E501
    ),
    Language.IT: _lexicon(
        "non mai senza nessun nessuno nessuna né",
        "ma mentre sebbene",
        """
        amount: aument cresc | dimin ridu cala
        level: più maggiore superior alto alta | meno minore inferior basso bassa
        worth: miglior efficac utile | peggior ineffica inutile dann
        effect: favori attiva provoc acceler permett | impedi inibi blocc rallent evita limit
        need: necessari indispensab | superflu
        """,
    ),
    Language.PT: _lexicon(
        "não nunca jamais sem nenhum nenhuma nem",
        "mas enquanto embora",
        """
        amount: aument cresc eleva | dimin reduz redu baixa
        level: mais maior alto alta | menos menor baixo
        worth: melhor efica útil | pior inefica inútil prejud
        effect: favorec ativa provoc aceler permit | impede inib bloque desaceler evita limit
        need: necessári indispens | desnecessári supérflu
        """,
    ),
    Language.NL: _lexicon(
        "niet geen nooit zonder noch nauwelijks",
        "maar terwijl hoewel",
        """
        amount: stijg steeg toene groei verhoog | daal daling afne vermin verlaag
        level: meer hoger hoog groter sterk | minder lager laag kleiner zwak
        worth: verbeter beter nuttig effectie | verslecht slecht schad nutteloos
        effect: bevorder versnel veroorzaak activeer | voorkom vertraag rem blokkeer beperk
        need: nodig noodzakelijk | onnodig overbodig
        """,
    ),
}
