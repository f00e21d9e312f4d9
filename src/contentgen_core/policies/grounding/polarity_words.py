"""Words of polarity, as data: the negations of every language as far as they are words of their own (Czech and Turkish
also negate within a verb), and for seven languages groups of words that have a contrary side.

Entries of four letters and more are beginnings of words, shorter ones whole words. What begins with both sides of a
group, or with words of several groups, belongs to the longest entry. Words under `none` have no direction although they
begin like one that has ("surgery" like "surge").
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from contentgen_core.model.vocabulary import Language

# How many content words after a negation it still reaches, where a negation stands before what it bears on.
NEGATION_REACH: Final = 3
# Letters from which on an entry is also the beginning of words.
SHORTEST_BEGINNING: Final = 4


@frozen
class Contrary:
    """The direction of a word. `group`: the words it is compared with; `side`: 1 or -1."""

    group: str
    side: int


@frozen
class Lexicon:
    """One language's words of polarity, in lower case. `negations`: whole words; `clauses`: words that begin a clause
    which an earlier negation does not reach; `entries`: contraries by whole word or beginning; `starts`: the first
    letters of those; `longest`: letters of the longest entry; `reach`: content words after a negation that it bears on,
    0 in languages where it follows them; `halves`: negations that mostly have a second word (ne … pas)."""

    negations: frozenset[str]
    clauses: frozenset[str]
    entries: dict[str, tuple[Contrary, ...]]
    starts: frozenset[str]
    longest: int
    reach: int
    halves: frozenset[str]

    def contraries(self, word: str) -> tuple[Contrary, ...]:
        """Return the directions of a word (in lower case); () for most words."""
        found = self.entries.get(word)
        if found is not None:
            return found
        if word[:SHORTEST_BEGINNING] not in self.starts:
            return ()
        for length in range(min(len(word) - 1, self.longest), SHORTEST_BEGINNING - 1, -1):
            found = self.entries.get(word[:length])
            if found is not None:
                return found
        return ()

    def negates(self, word: str) -> bool:
        return word in self.negations or word.endswith("n't")


def _lexicon(
    negations: str, clauses: str = "", groups: str = "", reach: int = NEGATION_REACH, halves: str = ""
) -> Lexicon:
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
    return Lexicon(
        negations=frozenset(negations.split()),
        clauses=frozenset(clauses.split()),
        entries=entries,
        starts=frozenset(word[:SHORTEST_BEGINNING] for word in entries),
        longest=max(map(len, entries), default=0),
        reach=reach,
        halves=frozenset(halves.split()),
    )


LEXICONS: Final[dict[Language, Lexicon]] = {
    Language.EN: _lexicon(
        "no not never neither nor none cannot unable unlikely little hardly fail fails failed failing without "
        "insufficient nonsignificant incapable lack lacks lacked lacking absence independent "
        "deficiency deficiencies deficient knockout knockouts null depletion ablation deletion silencing knockdown",
        "and but whereas while although",
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
        "et mais tandis alors bien",
        """
        amount: augment hausse croît croiss élev élèv accroît accroiss gagn | dimin baiss rédui réduct recul chut abaiss décroît décroiss perte perd
        level: plus supérieur élevé fréquent fort forte forts fortes majeur excès | moins inférieur faible rare rarement minime
        worth: amélior meilleur mieux efficac bénéfi utile favorabl protèg protég protect réussi avantag | dégrad détérior empir pire nuis inefficac inutile dommag défavorabl échou échec risqu danger
        effect: favoris activ stimul facilit provoqu caus déclench entraîn accélér renforc permet produi encourag | empêch inhib bloqu ralenti préven prévien évit limit supprim freine affaibl interdi désactiv restrei
        relation: associé corrél relié lié liée liés liées dépend influe influenc effet effets impact contribu | indépendan
        need: nécessai indispensab essentiel obligatoir exig | superflu inutile facultati
        similar: similaire semblable identique égal égale égaux équivalent comparable | différ distinct inégal
        sensitivity: sensible vulnérab exposé | insensible résist immunisé toléran
        time: long longue longs longues prolong allong tard | court courte courts courtes raccourc tôt
        sign: positi | négati invers
        presence: présent présence contient contenir | absen dépourvu
        firmness: stable stabil | instab
        none: plusieurs fortune fortunes forteresse longueur longueurs longitude courtier courtiers courtage courtois élève élèves élevage éleveur éleveurs activité activités produit produits contribuable contribuables présenter présentation présentations
        """,  # noqa: E501
        halves="ne n",
    ),
    Language.DE: _lexicon(
        "nicht kein keine keinen keinem keiner keines nie niemals ohne weder kaum",
        "und aber sondern während obwohl",
        """
        amount: steig stieg erhöh wachs wuchs wächst zunehm zunahme anstieg | sink sank senk fällt fiel gefallen abnehm abnahme reduzier verringer rückgang verminder
        level: mehr höher hoch hohe größer stark stärk häufig | weniger niedrig geringer gering klein kleiner schwach schwäch selten
        worth: verbesser besser wirksam nützlich hilf erfolgreich vorteil schützt | verschlechter schlecht unwirksam schad schäd nachteil gefähr
        effect: förder aktivier verursach beschleunig verstärk ermöglich erlaub bewirk | verhinder hemm blockier verlangsam langsam verbiet vermeid begrenz schwäch
        relation: zusammenhang zusammenhäng korrel abhäng beeinfluss einfluss auswirk effekt | unabhäng
        need: notwendig nötig erforderlich | unnötig überflüssig entbehrlich
        similar: ähnlich gleich identisch vergleichbar | unterschied verschieden ungleich
        sensitivity: empfindlich anfällig | unempfindlich resisten immun
        time: lang länger lange verlänger spät | kurz kürzer verkürz früh
        sign: positiv | negativ
        presence: vorhanden enthält enthalt | fehl abwesen
        firmness: stabil | instabil
        none: mehrere mehreren mehrerer mehreres mehrheit mehrfach mehrwert hochschule hochschulen hochzeit langstrecke frühling frühjahr frühstück fehler fehlern fehlers fehlerhaft gleichzeitig gleichstrom
        """,  # noqa: E501
    ),
    Language.ES: _lexicon(
        "no nunca jamás sin ningún ninguna ninguno ni tampoco apenas",
        "y pero sino mientras aunque",
        """
        amount: aument crec sube suben subió incrementa elev | dismin reduc baja bajan bajó descen
        level: más mayor alto alta fuerte frecuent | menos menor débil escas raro rara
        worth: mejor efica efecti útil benefic protege | empeor peor inefica inútil daña daño dañin perjud
        effect: favorec activ provoc acelera aceler causa permit facilit estimul | impid impedi inhib bloque desaceler ralentiz evita preven limit prohib
        relation: relacion asocia correlacion depende influy influen efecto efectos impacto afecta contribu | independiente
        need: necesari imprescindib indispensab | innecesari superflu
        similar: similar igual equivalente comparable idéntic parecid | diferen distint desigual
        sensitivity: sensible susceptible vulnerable | resisten inmune toleran
        time: largo larga prolong | corto corta temprano
        sign: positiv | negativ
        presence: presente presencia contiene | ausen carec
        firmness: estable estabil | inestab
        none: mayoría mayoritaria mayoritario altar altavoz altavoces altura alturas actividad actividades
        """,  # noqa: E501
    ),
    Language.IT: _lexicon(
        "non mai senza nessun nessuno nessuna né",
        "e ma mentre sebbene",
        """
        amount: aument cresc | dimin ridu ridott cala scend
        level: più maggiore superior alto alta frequen | meno minore inferior basso bassa raro rara debol
        worth: miglior efficac utile vantagg protegg | peggior ineffica inutile dann svantagg
        effect: favori attiva provoc acceler permett causa stimol facilit | impedi inibi blocc rallent evita limit previen
        relation: relazion associa correla dipend influenz influi effetto effetti impatto contribu | indipenden
        need: necessari indispensab | superflu
        similar: simile simili uguale uguali equivalent identic paragonabil | divers differen distint
        sensitivity: sensibil suscettibil vulnerabil | resisten immun toller
        sign: positiv | negativ
        presence: presente presenza contiene contengono | assen
        firmness: stabile stabili | instabil
        none: maggioranza calamita calamità calamaro altare altalena
        """,  # noqa: E501
    ),
    Language.PT: _lexicon(
        "não nunca jamais sem nenhum nenhuma nem",
        "e mas enquanto embora",
        """
        amount: aument cresc eleva | dimin reduz redu baixa
        level: mais maior alto alta frequent forte | menos menor baixo fraco fraca raro rara
        worth: melhor efica útil benéfic protege | pior inefica inútil prejud
        effect: favorec ativa provoc aceler permit causa estimul facilit | impede impedi inib bloque desaceler evita limit previn
        relation: relacion associ correlacion depende influenci efeito efeitos impacto afeta contribu | independente
        need: necessári indispens | desnecessári supérflu
        similar: semelhante similar igual equivalente idêntic comparáve | diferen distint desigual
        sensitivity: sensíve suscetíve vulneráve | resisten imune toleran
        sign: positiv | negativ
        presence: presente presença contém | ausen
        firmness: estáve estabil | instáve instabil
        none: maioria redundante redundantes redundância altar altura alturas
        """,  # noqa: E501
    ),
    Language.NL: _lexicon(
        "niet geen nooit zonder noch nauwelijks",
        "en maar terwijl hoewel",
        """
        amount: stijg steeg toene groei verhoog | daal daling afne vermin verlaag
        level: meer hoger hoog groter sterk vaker | minder lager laag kleiner zwak zelden
        worth: verbeter beter nuttig effectie voordel | verslecht slecht schad nutteloos nadel
        effect: bevorder versnel veroorzaak activeer stimuleer | voorkom vertraag rem remt remmen blokkeer beperk langzaam
        relation: verband samenhang samenhangt correl afhankelijk beïnvloed invloed effect effecten | onafhankelijk
        need: nodig noodzakelijk | onnodig overbodig
        similar: gelijk identiek vergelijkbaar hetzelfde | verschil ongelijk
        sensitivity: gevoelig kwetsbaar vatbaar | ongevoelig immuun resisten
        time: lang langer verleng | kort korter verkort
        sign: positie | negatie
        presence: aanwezig bevat | afwezig ontbre
        firmness: stabiel | instabiel
        none: meerdere meerderheid langs gelijktijdig verschillende
        """,  # noqa: E501
    ),
    Language.PL: _lexicon("nie nigdy bez żaden żadna żadne żadnego żadnej ani brak"),
    Language.SV: _lexicon("inte ej aldrig ingen inget inga varken"),
    Language.NO: _lexicon("ikke aldri uten ingen intet verken"),
    Language.DA: _lexicon("ikke ej aldrig uden ingen intet hverken"),
    Language.FI: _lexicon("ei en et emme ette eivät eikä eivätkä"),
    Language.CS: _lexicon(
        "ne není nejsou nebyl nebyla nebylo nebyly nemá nemají nemůže nikdy bez žádný žádná žádné ani"
    ),
    Language.HU: _lexicon("nem nincs nincsenek ne sem soha"),
    Language.RO: _lexicon("nu niciodată fără nici niciun nicio"),
    Language.EL: _lexicon("δεν δε μην μη όχι ποτέ χωρίς ούτε κανένας καμία κανένα"),
    Language.TR: _lexicon("değil değildir yok yoktur hiç hiçbir asla", reach=0),
    Language.UK: _lexicon("не ні ніколи без немає жоден жодна жодне"),
    Language.RU: _lexicon("не ни никогда без нет"),
    Language.ZH: _lexicon(
        "不 没 没有 不是 不会 不能 不需要 不必 不要 不再 不得 从不 并不 并非 无 无法 未 未经 沒 沒有 不會 不需 無 無法"
    ),
    Language.JA: _lexicon("ない ません せん しない なし", reach=0),
    Language.KO: _lexicon(
        "않다 않는다 않습니다 않는 않은 않고 않으며 없다 없는 없이 없습니다 없으며 아니다 아닙니다 아닌", reach=0
    ),
    Language.TH: _lexicon("ไม่ ไม่มี ไม่ใช่ ไม่ได้ มิได้"),
    Language.VI: _lexicon("không chưa chẳng"),
    Language.ID: _lexicon("tidak bukan tanpa belum tak jangan"),
    Language.HI: _lexicon("नहीं न मत बिना", reach=0),
    Language.AR: _lexicon("لا ليس ليست لم لن بدون غير ولا وليس وليست ولم ولن"),
    Language.HE: _lexicon("לא אין בלי ללא אינו אינה אינם אינן ולא ואין ואינו ואינה"),
}
